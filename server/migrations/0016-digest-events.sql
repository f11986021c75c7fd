-- What a digest tells of, so that each of its events can say that somebody was told.
alter table deliveries
  add column event_ids uuid[],
  add constraint deliveries_event_ids check (event_ids is null or type = 'alarm.digest');
