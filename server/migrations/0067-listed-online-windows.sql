-- Devices with an online window of their own are few, and listed together.
create index devices_with_online_window on devices (organization_id, id)
  where online_minutes is not null;
