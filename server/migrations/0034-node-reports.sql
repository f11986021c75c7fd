-- What operators see of a node: whether it stops, the newest migration that its version knows, and
-- its load, lag, clock and unreachable peers, which it writes whenever it renews its lease.
alter table nodes add column is_stopping boolean not null default false;
alter table nodes add column migration integer;
alter table nodes add column report jsonb;

-- API keys with all permissions of administration keep all of them.
update api_keys set permissions = permissions || 'ReadNodes'::text
where permissions @> array['ManageApiKeys', 'ManageUsers', 'ReadAuditLog']
  and not permissions @> array['ReadNodes'];
