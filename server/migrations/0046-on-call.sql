-- Who is on call, and how people are contacted.

create table rotas (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  description text check (char_length(description) <= 500),
  time_zone text not null check (char_length(time_zone) between 1 and 100),
  -- Both are read and written as a whole. Users who are no longer members count as nobody.
  layers jsonb not null check (jsonb_array_length(layers) <= 10),
  overrides jsonb not null check (jsonb_array_length(overrides) <= 100),
  sends_handoff_mail boolean not null,
  sends_weekly_summary boolean not null,
  -- When the next mail is due; null when none is.
  handoff_due_at timestamptz,
  summary_due_at timestamptz,
  -- Of the secret in the address of the calendar.
  calendar_digest bytea unique check (octet_length(calendar_digest) = 32),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id)
);

create index rotas_newest on rotas (organization_id, created_at desc, id desc);
create index rotas_handoff_due on rotas (handoff_due_at) where handoff_due_at is not null;
create index rotas_summary_due on rotas (summary_due_at) where summary_due_at is not null;

create table contact_methods (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('EMAIL', 'SMS', 'VOICE', 'WEB_PUSH', 'CHAT')),
  -- An email address or a phone number.
  address text check (char_length(address) between 3 and 254),
  push_id uuid,
  webhook_id uuid,
  position smallint not null,
  verified_at timestamptz,
  -- Of the code that was sent last, until it is used, expires or was guessed wrong too often.
  code_digest bytea check (octet_length(code_digest) = 32),
  code_expires_at timestamptz,
  wrong_codes smallint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  foreign key (organization_id, user_id)
    references memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, push_id)
    references web_push_subscriptions (organization_id, id) on delete cascade,
  foreign key (organization_id, webhook_id)
    references webhooks (organization_id, id) on delete cascade,
  check (num_nonnulls(address, push_id, webhook_id) = 1),
  check ((push_id is not null) = (kind = 'WEB_PUSH')),
  check ((webhook_id is not null) = (kind = 'CHAT')),
  check ((code_digest is null) = (code_expires_at is null))
);

create index contact_methods_of_user on contact_methods (organization_id, user_id, position, id);
create index contact_methods_of_push on contact_methods (organization_id, push_id)
  where push_id is not null;
create index contact_methods_of_webhook on contact_methods (organization_id, webhook_id)
  where webhook_id is not null;

create table notification_rules (
  organization_id uuid not null,
  user_id uuid not null,
  -- Steps may name contact methods that are gone; those are left out.
  bands jsonb not null check (jsonb_array_length(bands) <= 5),
  quiet_hours jsonb,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id)
    references memberships (organization_id, user_id) on delete cascade
);
