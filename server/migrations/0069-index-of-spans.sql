-- PostgreSQL may hide entries of a GiST index when a statement looks up several rows by it while its
-- first page is split. So look-ups by key must not use this index: it is partial, and serves only
-- statements that repeat its condition. Building it again restores the entries that are hidden.
drop index alarm_events_span;
create index alarm_events_span on alarm_events
  using gist (organization_id, tstzrange(raised_at, cleared_at, '[]'))
  where raised_at > '-infinity';
