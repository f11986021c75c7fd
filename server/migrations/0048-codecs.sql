-- Scripts that decode the payloads of sensors, with the tests that they must pass.

create table codecs (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  script text not null check (char_length(script) between 1 and 65536),
  tests json not null check (json_typeof(tests) = 'array' and json_array_length(tests) <= 20),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id)
);

create index codecs_newest on codecs (organization_id, created_at desc, id desc);
