-- The keys by which files of configuration name records, so that a renamed record stays the same.

create table managed_resources (
  organization_id uuid not null references organizations (id) on delete cascade,
  kind text not null check (kind in ('LOCATION', 'VARIABLE_FOLDER', 'DEVICE', 'VARIABLE',
    'WEBHOOK', 'ALARM_GROUP', 'ALARM', 'ASSET', 'DASHBOARD')),
  key text not null check (char_length(key) between 1 and 201),
  -- One column per kind, so that a key goes with its record.
  location_id uuid,
  folder_id uuid,
  device_id uuid,
  variable_id uuid,
  webhook_id uuid,
  alarm_group_id uuid,
  alarm_id uuid,
  asset_id uuid,
  dashboard_id uuid,
  primary key (organization_id, kind, key),
  foreign key (organization_id, location_id)
    references locations (organization_id, id) on delete cascade,
  foreign key (organization_id, folder_id)
    references variable_folders (organization_id, id) on delete cascade,
  foreign key (organization_id, device_id)
    references devices (organization_id, id) on delete cascade,
  foreign key (organization_id, variable_id)
    references variables (organization_id, id) on delete cascade,
  foreign key (organization_id, webhook_id)
    references webhooks (organization_id, id) on delete cascade,
  foreign key (organization_id, alarm_group_id)
    references alarm_groups (organization_id, id) on delete cascade,
  foreign key (organization_id, alarm_id)
    references alarms (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id)
    references assets (organization_id, id) on delete cascade,
  foreign key (organization_id, dashboard_id)
    references dashboards (organization_id, id) on delete cascade,
  check (num_nonnulls(location_id, folder_id, device_id, variable_id, webhook_id, alarm_group_id,
    alarm_id, asset_id, dashboard_id) = 1)
);

-- A record has one key. The deletion of a record finds its key here.
create unique index managed_resources_by_location
  on managed_resources (organization_id, location_id) where location_id is not null;
create unique index managed_resources_by_folder
  on managed_resources (organization_id, folder_id) where folder_id is not null;
create unique index managed_resources_by_device
  on managed_resources (organization_id, device_id) where device_id is not null;
create unique index managed_resources_by_variable
  on managed_resources (organization_id, variable_id) where variable_id is not null;
create unique index managed_resources_by_webhook
  on managed_resources (organization_id, webhook_id) where webhook_id is not null;
create unique index managed_resources_by_alarm_group
  on managed_resources (organization_id, alarm_group_id) where alarm_group_id is not null;
create unique index managed_resources_by_alarm
  on managed_resources (organization_id, alarm_id) where alarm_id is not null;
create unique index managed_resources_by_asset
  on managed_resources (organization_id, asset_id) where asset_id is not null;
create unique index managed_resources_by_dashboard
  on managed_resources (organization_id, dashboard_id) where dashboard_id is not null;
