-- A search in memory holds the records of Devices, so every edit of one is notified, also those that
-- deleting a Location or a parent Device causes. When a Device was last seen, and whether it was last
-- reported as online, is written often and sends no notification.

drop trigger devices_notify_update on devices;

create trigger devices_notify_update
  after update of name, name_folded, description, is_active, location_id, parent_device_id,
    gateway_eui, rf_region, sub_band, dev_eui, app_eui, sealed_app_key, password_hash, archived_at,
    created_at, updated_at, online_minutes on devices
  for each row execute function notify_device_changed();
