-- Messages that are about no alarm event: codes that verify contact methods, tests and hand-offs.

alter table deliveries
  drop constraint deliveries_type_check,
  add constraint deliveries_type_check check (type in ('alarm.raised', 'alarm.cleared',
    'alarm.acknowledged', 'alarm.digest', 'text'));
