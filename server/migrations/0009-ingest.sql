-- What became of the messages of Devices, and when they were last heard of.

-- Whether a Device is online follows from when it was last heard of and from its open sessions: a
-- stored answer would outlive the server that gave it.
alter table devices drop column is_online;

create table device_ingest (
  organization_id uuid not null,
  device_id uuid not null,
  accepted bigint not null check (accepted >= 0),
  unknown_path bigint not null check (unknown_path >= 0),
  wrong_type bigint not null check (wrong_type >= 0),
  bad_time bigint not null check (bad_time >= 0),
  inactive bigint not null check (inactive >= 0),
  -- Newest first: [{ key, reason, at }], `at` in epoch milliseconds.
  last_rejected jsonb not null check (jsonb_array_length(last_rejected) <= 20),
  primary key (organization_id, device_id),
  foreign key (organization_id, device_id)
    references devices (organization_id, id) on delete cascade
);

-- Paths that Devices reported and no Variable has.
create table unmatched_paths (
  organization_id uuid not null,
  device_id uuid not null,
  path text not null check (char_length(path) <= 500),
  last_value json not null,
  last_at timestamptz not null,
  occurrences bigint not null check (occurrences > 0),
  primary key (organization_id, device_id, path),
  foreign key (organization_id, device_id)
    references devices (organization_id, id) on delete cascade
);
