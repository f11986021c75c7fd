-- Other servers on this database keep Devices and their Variables in memory. They are told, with
-- the commit, when something changes that they keep. Equal notices of one transaction are one.

create function notify_device_changed() returns trigger language plpgsql as $$
declare
  device record;
begin
  device := case when tg_op = 'DELETE' then old else new end;
  perform pg_notify('fieldwatch_devices', device.organization_id || '/' || device.id);
  return null;
end
$$;

create function notify_variable_changed() returns trigger language plpgsql as $$
declare
  variable record;
begin
  variable := case when tg_op = 'DELETE' then old else new end;
  perform pg_notify('fieldwatch_devices', variable.organization_id || '/' || variable.device_id);
  return null;
end
$$;

create trigger devices_notify after insert or delete on devices
  for each row execute function notify_device_changed();

-- Not when it was last seen: that is written every few seconds, and kept nowhere else.
create trigger devices_notify_update
  after update of is_active, archived_at, password_hash, parent_device_id on devices
  for each row execute function notify_device_changed();

create trigger variables_notify after insert or delete on variables
  for each row execute function notify_variable_changed();

create trigger variables_notify_update
  after update of is_logging_enabled, topic_property_path, type, device_id on variables
  for each row execute function notify_variable_changed();
