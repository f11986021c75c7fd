-- Physical equipment, and the Variables that describe it.

create table assets (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 2 and 100),
  name_folded text not null,
  description text check (char_length(description) <= 500),
  classification_type text not null check (classification_type in ('GENERIC',
    'ELECTRICAL_GENERATOR', 'ELECTRICAL_UTILITY', 'ELECTRICAL_FEEDER', 'ELECTRICAL_ATS')),
  -- Not jsonb, which would not give back what was sent: it sorts keys and rewrites numbers.
  classification_details json check (json_typeof(classification_details) = 'object'
    and octet_length(classification_details::text) <= 16384),
  location_id uuid,
  dashboard_id uuid,
  parent_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  foreign key (organization_id, location_id)
    references locations (organization_id, id) on delete set null (location_id),
  foreign key (organization_id, dashboard_id)
    references dashboards (organization_id, id) on delete set null (dashboard_id),
  foreign key (organization_id, parent_id)
    references assets (organization_id, id) on delete set null (parent_id),
  check (parent_id <> id)
);

create index assets_newest on assets (organization_id, created_at desc, id desc);
create index assets_by_type
  on assets (organization_id, classification_type, created_at desc, id desc);
create index assets_by_location on assets (organization_id, location_id, created_at desc, id desc);
create index assets_by_dashboard on assets (organization_id, dashboard_id);
create index assets_by_parent on assets (organization_id, parent_id);
create index assets_by_name on assets using gin (name_folded gin_trgm_ops);

-- Which Variables are bound to which Assets; a Variable may be bound to several.
create table asset_variables (
  organization_id uuid not null,
  asset_id uuid not null,
  variable_id uuid not null,
  primary key (organization_id, asset_id, variable_id),
  foreign key (organization_id, asset_id)
    references assets (organization_id, id) on delete cascade,
  foreign key (organization_id, variable_id)
    references variables (organization_id, id) on delete cascade
);

create index asset_variables_by_variable on asset_variables (organization_id, variable_id);
