-- Connections to the MQTT brokers of Home Assistant, to which the server publishes Devices.

create table home_assistant_connections (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  url text not null check (char_length(url) <= 500),
  username text check (char_length(username) between 1 and 256),
  -- Encrypted with a key that is not in this database.
  encrypted_password bytea,
  discovery_prefix text not null check (char_length(discovery_prefix) between 1 and 100),
  -- None means all. A deleted Location stays here and matches nothing: a deletion must not publish
  -- more Devices than before.
  location_ids uuid[] not null,
  is_active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  -- Written by the node that holds the connection.
  state text not null check (state in ('CONNECTING', 'CONNECTED', 'FAILED')),
  state_at timestamptz not null,
  state_message text,
  device_count integer not null default 0,
  primary key (organization_id, id)
);

create index home_assistant_connections_newest
  on home_assistant_connections (organization_id, created_at desc, id desc);

-- The node that holds the connection follows its changes, not those of its state.
create function notify_home_assistant_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fieldwatch_home_assistant', '');
  return null;
end
$$;

create trigger home_assistant_notify after insert or delete on home_assistant_connections
  for each statement execute function notify_home_assistant_changed();

create trigger home_assistant_notify_update after update of revision on home_assistant_connections
  for each statement execute function notify_home_assistant_changed();

-- The name and the unit of a Variable are published too.
drop trigger variables_notify_update on variables;

create trigger variables_notify_update
  after update of is_logging_enabled, topic_property_path, type, device_id, name, unit on variables
  for each row execute function notify_variable_changed();
