-- Where things are, and the Devices that report from there.

-- Trigrams serve `search`, which looks for a substring anywhere in a name.
create extension if not exists pg_trgm;

create table locations (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  description text check (char_length(description) <= 500),
  address text check (char_length(address) <= 500),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  parent_id uuid,
  time_zone text check (char_length(time_zone) <= 100),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  check ((latitude is null) = (longitude is null)),
  constraint locations_parent foreign key (organization_id, parent_id)
    references locations (organization_id, id) on delete set null (parent_id),
  check (parent_id <> id)
);

create index locations_newest on locations (organization_id, created_at desc, id desc);
create index locations_by_parent on locations (organization_id, parent_id);
create index locations_by_name on locations using gin (name_folded gin_trgm_ops);

create table devices (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  type text not null check (type in ('CONTROLCOM_GATEWAY', 'CUSTOM_DEVICE',
    'LORAWAN_GATEWAY_CLOUD', 'LORAWAN_GATEWAY_EDGE', 'LORAWAN_DEVICE')),
  name text not null check (char_length(name) between 5 and 100),
  name_folded text not null,
  description text not null check (char_length(description) <= 500),
  is_active boolean not null default true,
  is_online boolean not null default false,
  last_seen_at timestamptz,
  location_id uuid,
  parent_device_id uuid,
  gateway_eui text check (gateway_eui ~ '^[0-9A-F]{16}$'),
  rf_region text,
  sub_band smallint check (sub_band between 1 and 8),
  dev_eui text check (dev_eui ~ '^[0-9A-F]{16}$'),
  app_eui text check (app_eui ~ '^[0-9A-F]{16}$'),
  -- Sealed with a key that is not in this database.
  sealed_app_key bytea,
  -- Of the password with which the Device publishes.
  password_hash text not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  -- A Device signs in with its id alone, so the id is unique in the whole installation.
  unique (id),
  constraint devices_gateway_eui_unique unique (organization_id, gateway_eui),
  constraint devices_dev_eui_unique unique (organization_id, dev_eui),
  foreign key (organization_id, location_id)
    references locations (organization_id, id) on delete set null (location_id),
  foreign key (organization_id, parent_device_id)
    references devices (organization_id, id) on delete set null (parent_device_id),
  check (parent_device_id <> id),
  constraint devices_configuration check (case
    when type = 'LORAWAN_DEVICE' then
      dev_eui is not null and app_eui is not null and sealed_app_key is not null
      and gateway_eui is null and rf_region is null and sub_band is null
    when type in ('LORAWAN_GATEWAY_CLOUD', 'LORAWAN_GATEWAY_EDGE') then
      gateway_eui is not null and rf_region is not null
      and dev_eui is null and app_eui is null and sealed_app_key is null
    else num_nonnulls(gateway_eui, rf_region, sub_band, dev_eui, app_eui, sealed_app_key) = 0
  end)
);

create index devices_newest on devices (organization_id, created_at desc, id desc);
create index devices_by_type on devices (organization_id, type, created_at desc, id desc);
create index devices_by_parent on devices (organization_id, parent_device_id);
create index devices_by_location on devices (organization_id, location_id);
create index devices_by_name on devices using gin (name_folded gin_trgm_ops);
