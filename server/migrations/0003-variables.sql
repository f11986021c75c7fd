-- The data points of Devices, and the folders that people sort them into.

create table variable_folders (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  parent_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  foreign key (organization_id, parent_id)
    references variable_folders (organization_id, id) on delete set null (parent_id),
  check (parent_id <> id)
);

create index variable_folders_newest
  on variable_folders (organization_id, created_at desc, id desc);
create index variable_folders_by_parent on variable_folders (organization_id, parent_id);
create index variable_folders_by_name
  on variable_folders using gin (name_folded gin_trgm_ops);

create table variables (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  device_id uuid not null,
  topic_property_path text not null
    check (char_length(topic_property_path) between 5 and 500
      and topic_property_path !~ '[ \t\n\r\f\v]'),
  topic_property_path_folded text not null,
  type text not null check (type in ('STRING', 'NUMBER', 'BOOLEAN')),
  name text not null check (char_length(name) between 2 and 100),
  name_folded text not null,
  description text check (char_length(description) <= 500),
  description_folded text,
  unit text check (char_length(unit) between 1 and 9),
  is_logging_enabled boolean not null,
  classification_type text check (char_length(classification_type) <= 100
    and classification_type ~ '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$'),
  folder_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  -- What watches a Variable names its Device too, and the two must belong together.
  unique (organization_id, device_id, id),
  constraint variables_path_unique unique (organization_id, device_id, topic_property_path),
  foreign key (organization_id, device_id)
    references devices (organization_id, id) on delete cascade,
  foreign key (organization_id, folder_id)
    references variable_folders (organization_id, id) on delete set null (folder_id),
  check ((description is null) = (description_folded is null))
);

create index variables_newest on variables (organization_id, created_at desc, id desc);
-- Also bounds the search within one Device, which looks at three columns.
create index variables_by_device
  on variables (organization_id, device_id, created_at desc, id desc);
create index variables_by_folder
  on variables (organization_id, folder_id, created_at desc, id desc);
create index variables_by_name on variables using gin (name_folded gin_trgm_ops);
