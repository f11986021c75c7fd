-- Who is told of alarms: groups, their subscriptions, and the webhooks these may name.

create table webhooks (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  url text not null check (char_length(url) <= 2000),
  is_active boolean not null,
  -- Signs deliveries. Sealed with a key that is not in this database.
  sealed_secret bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id)
);

create index webhooks_newest on webhooks (organization_id, created_at desc, id desc);
create index webhooks_by_name on webhooks using gin (name_folded gin_trgm_ops);

create table alarm_groups (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  description text check (char_length(description) <= 500),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id)
);

create index alarm_groups_newest on alarm_groups (organization_id, created_at desc, id desc);
create index alarm_groups_by_name
  on alarm_groups using gin (name_folded gin_trgm_ops);

create table alarm_group_subscriptions (
  organization_id uuid not null,
  alarm_group_id uuid not null,
  -- Keeps the order in which they were given; a removed webhook leaves a gap.
  position smallint not null check (position between 0 and 99),
  email text check (char_length(email) between 3 and 254),
  email_folded text,
  webhook_id uuid,
  -- None means all.
  severities text[] not null
    check (severities <@ array['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  primary key (organization_id, alarm_group_id, position),
  unique (organization_id, alarm_group_id, email_folded),
  unique (organization_id, alarm_group_id, webhook_id),
  foreign key (organization_id, alarm_group_id)
    references alarm_groups (organization_id, id) on delete cascade,
  foreign key (organization_id, webhook_id)
    references webhooks (organization_id, id) on delete cascade,
  check (num_nonnulls(email, webhook_id) = 1),
  check ((email is null) = (email_folded is null))
);

create index alarm_group_subscriptions_by_webhook
  on alarm_group_subscriptions (organization_id, webhook_id);
