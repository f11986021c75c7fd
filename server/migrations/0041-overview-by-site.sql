-- When the presence of a Device was last reported as changed. A change of `is_online` is written to
-- every index of the table in any case, so that this index adds little.
alter table devices add column online_changed_at timestamptz;
create index devices_online_changed on devices (organization_id, online_changed_at)
  where online_changed_at is not null;

-- The few Variables that describe the power supply of a site, among all of its Devices.
create index variables_classified on variables (organization_id, classification_type, device_id)
  where classification_type is not null;
