-- The online window of a LoRaWAN sensor follows from the interval of its uplinks, unless it has one of
-- its own.

alter table devices
  add column learned_online_minutes integer check (learned_online_minutes between 1 and 10080);

drop trigger devices_notify_update on devices;

create trigger devices_notify_update
  after update of name, name_folded, description, is_active, location_id, parent_device_id,
    gateway_eui, rf_region, sub_band, dev_eui, app_eui, sealed_app_key, password_hash, archived_at,
    created_at, updated_at, online_minutes, learned_online_minutes on devices
  for each row execute function notify_device_changed();

-- Payloads that the codec of their Device could not decode.
alter table device_ingest add column codec bigint not null default 0;
