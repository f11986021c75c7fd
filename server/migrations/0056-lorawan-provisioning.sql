-- Sensors that are registered at their network server by this one.

alter table lorawan_networks
  -- Of a certificate authority that the broker's certificate is checked with.
  add column ca_certificate text check (char_length(ca_certificate) <= 20000),
  add column provisioning text not null default 'NONE' check (provisioning in ('NONE', 'PUSH')),
  add column api_url text check (char_length(api_url) <= 500),
  -- Encrypted with a key that is not in this database.
  add column encrypted_api_token bytea,
  add column device_profile_id text,
  add column frequency_plan_id text,
  add column mac_version text,
  add column phy_version text,
  add constraint lorawan_networks_api check (provisioning = 'NONE' or api_url is not null);

alter table lorawan_devices add column device_profile_id text;

-- One row per sensor that is or shall be registered. It outlives its Device until the network server
-- has removed the sensor.
create table lorawan_provisionings (
  organization_id uuid not null,
  network_id uuid not null,
  dev_eui text not null check (dev_eui ~ '^[0-9A-F]{16}$'),
  device_id uuid not null,
  state text not null check (state in ('PENDING', 'REGISTERED', 'FAILED', 'REMOVING')),
  -- What is sent although the network server has a value already: the user has changed it here.
  has_new_fields boolean not null default false,
  has_new_keys boolean not null default false,
  error text,
  attempts integer not null default 0,
  -- When it is tried next, or the end of the lease of the node that tries it; null when all is done.
  next_at timestamptz,
  -- Grows with each request, so that the outcome of an earlier one is not taken for that of a later.
  version integer not null default 1,
  primary key (organization_id, network_id, dev_eui),
  foreign key (organization_id, network_id) references lorawan_networks (organization_id, id)
    on delete cascade
);

create index lorawan_provisionings_due on lorawan_provisionings (next_at) where next_at is not null;
create index lorawan_provisionings_device on lorawan_provisionings (organization_id, device_id);
