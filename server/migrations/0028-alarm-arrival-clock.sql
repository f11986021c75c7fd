-- Which run of a server gave `arrived_at`, and the same moment by the monotonic clock of that run.
-- When somebody sets the clock of the server, `arrived_at` and `due_at` follow it.
alter table alarm_watches
  add column arrival_run uuid,
  add column arrival_elapsed bigint,
  add constraint alarm_watches_arrival_run
    check ((arrival_run is null) = (arrival_elapsed is null));
