-- Partitions are given to nodes that have started and do not stop.
alter table nodes add column is_ready boolean not null default false;

-- The partition of a Device: the last byte of its id.
create function partition_of(device_id uuid) returns smallint
  language sql immutable parallel safe strict
  return get_byte(uuid_send(device_id), 15)::smallint;
