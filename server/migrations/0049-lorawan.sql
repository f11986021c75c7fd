-- Network servers of LoRaWAN whose uplinks become readings, and what is known of the radio of sensors.

create table lorawan_networks (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  kind text not null check (kind in ('CHIRPSTACK_V4', 'THE_THINGS_STACK_V3')),
  is_active boolean not null,
  ingest text not null check (ingest in ('MQTT', 'WEBHOOK')),
  url text check (char_length(url) <= 500),
  username text check (char_length(username) between 1 and 256),
  -- Encrypted with a key that is not in this database.
  encrypted_password bytea,
  topic_template text check (char_length(topic_template) <= 300),
  application_id text not null check (char_length(application_id) between 1 and 100),
  tenant_id text check (char_length(tenant_id) between 1 and 100),
  gateway_prefixes text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  -- Written by the node that holds the connection.
  is_connected boolean not null default false,
  last_connected_at timestamptz,
  last_event_at timestamptz,
  last_error text,
  events_per_minute integer not null default 0,
  primary key (organization_id, id),
  check (ingest = 'WEBHOOK' or url is not null)
);

create index lorawan_networks_newest
  on lorawan_networks (organization_id, created_at desc, id desc);

create table lorawan_devices (
  organization_id uuid not null,
  device_id uuid not null,
  network_id uuid,
  codec_id uuid,
  -- What its uplinks told.
  radio json not null,
  primary key (organization_id, device_id),
  foreign key (organization_id, device_id) references devices (organization_id, id) on delete cascade,
  foreign key (organization_id, network_id) references lorawan_networks (organization_id, id)
    on delete set null (network_id),
  foreign key (organization_id, codec_id) references codecs (organization_id, id)
    on delete set null (codec_id)
);

create index lorawan_devices_network on lorawan_devices (organization_id, network_id);
create index lorawan_devices_codec on lorawan_devices (organization_id, codec_id);

-- Sensors that sent and are no Devices.
create table lorawan_unknown_devices (
  organization_id uuid not null,
  network_id uuid not null,
  dev_eui text not null check (dev_eui ~ '^[0-9A-F]{16}$'),
  name text,
  last_at timestamptz not null,
  count integer not null default 1,
  last_payload bytea,
  primary key (organization_id, network_id, dev_eui),
  foreign key (organization_id, network_id) references lorawan_networks (organization_id, id)
    on delete cascade
);

create index lorawan_unknown_devices_latest
  on lorawan_unknown_devices (organization_id, network_id, last_at desc);

-- The node that holds the connection follows its changes, not those of its state.
create function notify_lorawan_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldwatch_lorawan', '');
  return null;
end
$$;

create trigger lorawan_networks_notify after insert or delete on lorawan_networks
  for each statement execute function notify_lorawan_changed();

create trigger lorawan_networks_notify_update after update of revision on lorawan_networks
  for each statement execute function notify_lorawan_changed();
