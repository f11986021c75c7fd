-- Boards of widgets, and the versions of them that were published.

create table dashboards (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  is_public boolean not null,
  refresh_interval_seconds integer not null check (refresh_interval_seconds between 1 and 3600),
  -- The draft. Not jsonb, which would reorder its keys.
  configuration json not null check (json_typeof(configuration) = 'object'
    and octet_length(configuration::text) <= 262144),
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id)
);

create index dashboards_newest on dashboards (organization_id, created_at desc, id desc);
-- What API keys see.
create index dashboards_public on dashboards (organization_id, created_at desc, id desc)
  where is_public;
create index dashboards_archived on dashboards (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index dashboards_by_name on dashboards using gin (name_folded gin_trgm_ops);

create table dashboard_versions (
  organization_id uuid not null,
  id uuid not null,
  dashboard_id uuid not null,
  version integer not null check (version > 0),
  comment text not null check (char_length(comment) between 1 and 500),
  -- Plain text without a reference: the version outlives the membership of who published it.
  published_by text not null,
  published_at timestamptz not null,
  configuration json not null check (json_typeof(configuration) = 'object'
    and octet_length(configuration::text) <= 262144),
  primary key (organization_id, id),
  unique (organization_id, dashboard_id, version),
  foreign key (organization_id, dashboard_id)
    references dashboards (organization_id, id) on delete cascade
);
