-- Every server on this database learns, with the commit, that credentials ended or changed, and
-- looks at the open streams of who used them. Equal notifications of one transaction are one.

create function notify_api_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldwatch_credentials', 'API_KEY/' || old.id);
  return null;
end
$$;

create function notify_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldwatch_credentials', 'SESSION/' || old.id);
  return null;
end
$$;

create function notify_membership_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldwatch_credentials', 'USER/' || old.user_id);
  return null;
end
$$;

create trigger api_keys_notify after delete on api_keys
  for each row execute function notify_api_key_changed();

-- Not when it was last used: that is written all the time.
create trigger api_keys_notify_update after update of permissions, expires_at, secret_hash on api_keys
  for each row execute function notify_api_key_changed();

create trigger sessions_notify after delete on sessions
  for each row execute function notify_session_ended();

create trigger memberships_notify after delete on memberships
  for each row execute function notify_membership_changed();

create trigger memberships_notify_update after update of role, status on memberships
  for each row execute function notify_membership_changed();
