-- What else a record names may be deleted: the escalation policy and the webhooks of an alarm group, and the
-- Variables that are bound to an Asset. Whoever read the record before has an old one. Reminders are of
-- pages, so that they end with the policy.
update alarm_groups set reminder_minutes = null
where escalation_policy_id is null and reminder_minutes is not null;

create function count_lost_policy() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  new.reminder_minutes := null;
  return new;
end
$$;

create trigger alarm_groups_lost_reference before update of escalation_policy_id on alarm_groups
  for each row
  when (new.escalation_policy_id is null and old.escalation_policy_id is not null
    and new.revision = old.revision)
  execute function count_lost_policy();

create function count_lost_webhook() returns trigger language plpgsql as $$
begin
  update alarm_groups set revision = revision + 1
  where organization_id = old.organization_id
    and id in (select alarm_group_id from alarm_group_subscriptions
               where organization_id = old.organization_id and webhook_id = old.id);
  return old;
end
$$;

create trigger webhooks_lost_reference before delete on webhooks for each row
  execute function count_lost_webhook();

-- A Device is deleted with all of its Variables: an Asset that has many of them is counted once.
create function count_lost_binding() returns trigger language plpgsql as $$
begin
  update assets set revision = revision + 1
  where organization_id = old.organization_id
    and id in (select asset_id from asset_variables
               where organization_id = old.organization_id and variable_id = old.id)
    and xmin <> pg_current_xact_id()::xid;
  return old;
end
$$;

create trigger variables_lost_binding before delete on variables for each row
  execute function count_lost_binding();
