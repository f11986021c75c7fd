-- Messages of an external broker that can never be stored: acknowledged there, and kept here.
create table dead_letters (
  organization_id uuid not null,
  device_id uuid not null,
  number bigint generated always as identity,
  topic text not null,
  payload bytea not null,
  reason text not null,
  failed_at timestamptz not null,
  primary key (organization_id, device_id, number),
  foreign key (organization_id, device_id)
    references devices (organization_id, id) on delete cascade
);
create index dead_letters_failed_at on dead_letters (failed_at);
