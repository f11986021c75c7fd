-- What network servers report of gateways: whether they are connected.

alter table devices
  -- When a network server last reported that it has lost the Device. A later reading shows it again.
  add column disconnected_at timestamptz,
  -- Until when the Device stays online without a reading, because its network server cannot be asked.
  add column online_held_until timestamptz;

create index devices_disconnected on devices (id) where disconnected_at is not null;

drop trigger devices_notify_update on devices;

create trigger devices_notify_update
  after update of name, name_folded, description, is_active, location_id, parent_device_id,
    gateway_eui, rf_region, sub_band, dev_eui, app_eui, sealed_app_key, password_hash, archived_at,
    created_at, updated_at, online_minutes, learned_online_minutes, disconnected_at,
    online_held_until on devices
  for each row execute function notify_device_changed();

alter table lorawan_networks
  -- Why the state of its gateways could not be read last.
  add column gateway_error text;
