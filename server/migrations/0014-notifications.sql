-- How those who asked are told: whom, how fast, and what became of each message.

-- The secret before a rotation signs along for a day.
alter table webhooks
  add column previous_sealed_secret bytea,
  add column previous_secret_until timestamptz,
  add constraint webhooks_previous_secret
    check ((previous_sealed_secret is null) = (previous_secret_until is null));

-- An address or a webhook that something was or is to be delivered to.
create table notification_targets (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  email text check (char_length(email) between 3 and 254),
  email_folded text,
  webhook_id uuid,
  -- In a row, up to now.
  failures integer not null default 0 check (failures >= 0),
  -- Until then nothing is sent to it.
  rest_until timestamptz,
  -- The digest that still gathers events.
  open_digest_id uuid,
  last_digest_at timestamptz,
  -- When something is due to it; null when nothing waits.
  next_at timestamptz,
  -- Until then one worker alone serves it.
  leased_until timestamptz,
  primary key (organization_id, id),
  unique (organization_id, email_folded),
  unique (organization_id, webhook_id),
  foreign key (organization_id, webhook_id)
    references webhooks (organization_id, id) on delete cascade,
  check (num_nonnulls(email, webhook_id) = 1),
  check ((email is null) = (email_folded is null))
);

create index notification_targets_due on notification_targets (next_at) where next_at is not null;

-- One message to one target. Its id is the same on every attempt.
create table deliveries (
  organization_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  -- What it tells of; a digest tells of many.
  notice_id uuid,
  event_id uuid,
  type text not null
    check (type in ('alarm.raised', 'alarm.cleared', 'alarm.acknowledged', 'alarm.digest')),
  event_count integer not null check (event_count > 0),
  -- As text: what was signed must stay the same, byte by byte.
  payload json not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  -- Since it was made, or was last asked for again.
  attempts integer not null default 0 check (attempts >= 0),
  started_at timestamptz not null,
  next_at timestamptz,
  last_attempt_at timestamptz,
  last_status smallint,
  last_error text,
  last_duration_ms integer,
  created_at timestamptz not null,
  primary key (organization_id, id),
  -- However often a notice is taken up, a target is told of it once.
  unique (organization_id, target_id, notice_id),
  foreign key (organization_id, target_id)
    references notification_targets (organization_id, id) on delete cascade,
  check ((type = 'alarm.digest') = (notice_id is null)),
  check ((notice_id is null) = (event_id is null)),
  check ((state = 'PENDING') = (next_at is not null))
);

create index deliveries_pending on deliveries (organization_id, target_id, attempts, next_at)
  where state = 'PENDING';
create index deliveries_of_target on deliveries (organization_id, target_id, created_at desc, id desc);
create index deliveries_newest on deliveries (organization_id, created_at desc, id desc);
create index deliveries_oldest on deliveries (created_at) where state <> 'PENDING';
