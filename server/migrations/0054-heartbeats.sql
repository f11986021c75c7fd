-- Addresses at services outside that are called while the server is well.

create table heartbeats (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  kind text not null
    check (kind in ('HEALTHCHECKS', 'UPTIME_KUMA', 'BETTER_STACK', 'DEAD_MANS_SNITCH', 'OTHER')),
  url text not null check (char_length(url) <= 2000),
  every_seconds integer not null check (every_seconds between 30 and 3600),
  is_active boolean not null,
  -- When it is called next; one node sets it ahead before it calls.
  next_at timestamptz not null,
  -- Of the last check and its call.
  is_healthy boolean,
  last_sent_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id)
);

create index heartbeats_newest on heartbeats (organization_id, created_at desc, id desc);
create index heartbeats_by_name on heartbeats using gin (name_folded gin_trgm_ops);
create index heartbeats_due on heartbeats (next_at) where is_active;
