-- Browsers that receive notifications by web push, and the key that identifies the installation to
-- the push services of browsers (RFC 8292).

create table web_push_keys (
  -- There is one key: browsers bind their subscriptions to it.
  id boolean primary key default true check (id),
  public_key bytea not null check (octet_length(public_key) = 65),
  encrypted_private_key bytea not null,
  created_at timestamptz not null
);

create table web_push_subscriptions (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  -- The address of the browser at its push service.
  endpoint text not null check (char_length(endpoint) between 1 and 1000),
  public_key bytea not null check (octet_length(public_key) = 65),
  auth_secret bytea not null check (octet_length(auth_secret) = 16),
  -- None means all.
  severities text[] not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, endpoint),
  foreign key (organization_id, user_id)
    references memberships (organization_id, user_id) on delete cascade
);

create index web_push_subscriptions_newest
  on web_push_subscriptions (organization_id, user_id, created_at desc, id desc);

alter table notification_targets
  add column push_id uuid,
  add constraint notification_targets_push unique (organization_id, push_id),
  add constraint notification_targets_push_fkey foreign key (organization_id, push_id)
    references web_push_subscriptions (organization_id, id) on delete cascade,
  drop constraint notification_targets_check,
  add constraint notification_targets_destination
    check (num_nonnulls(email, webhook_id, push_id) = 1);
