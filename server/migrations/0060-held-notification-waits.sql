-- The wait of a notification for the state of a Device above has the name that the server uses: a
-- notification waits (`WAIT`), and once it is in the outbox again it has waited.

alter table held_notifications drop constraint held_notifications_reason_check;
update held_notifications set reason = 'WAIT' where reason = 'SETTLE';
alter table held_notifications add constraint held_notifications_reason_check
  check (reason in ('MAINTENANCE', 'WAIT', 'TOPOLOGY'));

alter table notification_outbox rename column is_settled to has_waited;
