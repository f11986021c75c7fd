-- The start of a node that serves a target, by the name of its database sessions: once that start is
-- over, others need not wait for the end of the lease. Null of versions that do not say.
alter table notification_targets add column leased_by text;

-- Whether a start of a node, named by its database sessions, is not over as far as is known.
create function is_running(name text) returns boolean language sql stable as $$
  select name is null or exists (select from nodes where session_name = name and lost_at is null)
$$;
