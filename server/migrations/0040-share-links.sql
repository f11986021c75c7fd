-- Links that show the published version of one Dashboard to anyone who has them.

create table share_links (
  id uuid primary key,
  organization_id uuid not null,
  dashboard_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  -- SHA-256 of a random secret of 256 bits, which needs no slow hash.
  secret_digest bytea not null check (octet_length(secret_digest) = 32),
  -- The site or the Asset that a template shows. The link of a deleted one shows nothing.
  location_id uuid,
  asset_id uuid,
  expires_at timestamptz,
  created_at timestamptz not null,
  -- Plain text without a reference: the link outlives the membership of its creator.
  created_by text not null,
  foreign key (organization_id, dashboard_id)
    references dashboards (organization_id, id) on delete cascade,
  foreign key (organization_id, location_id)
    references locations (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id)
    references assets (organization_id, id) on delete cascade,
  check (num_nonnulls(location_id, asset_id) <= 1)
);

create unique index share_links_by_secret on share_links (secret_digest);
create index share_links_newest
  on share_links (organization_id, dashboard_id, created_at desc, id desc);
create index share_links_by_location on share_links (organization_id, location_id)
  where location_id is not null;
create index share_links_by_asset on share_links (organization_id, asset_id)
  where asset_id is not null;
