-- What alarms do: what they remember between readings, the events they raise, and who is told.

-- Trees of ranges within an organization serve "open at any moment of".
create extension if not exists btree_gist;

alter table alarms
  add column deadband double precision check (deadband between 0 and 999999),
  add column clear_delay_seconds smallint check (clear_delay_seconds between 0 and 900),
  add column shelved_until timestamptz,
  add column shelved_reason text check (char_length(shelved_reason) <= 500),
  add column shelved_by text,
  add constraint alarms_shelving check ((shelved_until is null) = (shelved_by is null)
    and (shelved_until is not null or shelved_reason is null));

-- Finds what watches the readings of a Device.
create index alarms_watching on alarms (organization_id, device_id)
  where is_active and archived_at is null;

-- Other servers keep what watches a Device in memory with it. What readings move tells nobody.
create function notify_alarm_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform pg_notify('fieldwatch_devices', old.organization_id || '/' || old.device_id);
  end if;
  if tg_op <> 'DELETE' then
    perform pg_notify('fieldwatch_devices', new.organization_id || '/' || new.device_id);
  end if;
  return null;
end
$$;

create trigger alarms_notify after insert or delete on alarms
  for each row execute function notify_alarm_changed();

create trigger alarms_notify_update
  after update of is_active, archived_at, device_id, variable_id, operator, threshold_number,
    threshold_string, threshold_boolean, delay_seconds, deadband, clear_delay_seconds on alarms
  for each row execute function notify_alarm_changed();

-- An alarm without a row is clear and was never judged.
create table alarm_watches (
  organization_id uuid not null,
  alarm_id uuid not null,
  phase text not null check (phase in ('CLEAR', 'PENDING', 'TRIGGERED', 'CLEARING')),
  -- The reading that began a hold or a clearing, and when it came in by the clock.
  began_at timestamptz,
  began_value jsonb,
  arrived_at timestamptz,
  -- Of the open event.
  started_at timestamptz,
  raised_at timestamptz,
  -- Readings before this were judged.
  judged_to timestamptz,
  -- When the clock decides if no reading does.
  due_at timestamptz,
  -- Each write counts up by one: who judged on anything else judged on what is no longer so.
  version bigint not null check (version > 0),
  -- How often what was under way was ended by a change: tells occurrences of one time apart.
  epoch integer not null,
  primary key (organization_id, alarm_id),
  foreign key (organization_id, alarm_id)
    references alarms (organization_id, id) on delete cascade,
  check (num_nonnulls(began_at, began_value, arrived_at) =
    case when phase in ('PENDING', 'CLEARING') then 3 else 0 end),
  check (num_nonnulls(started_at, raised_at) =
    case when phase in ('TRIGGERED', 'CLEARING') then 2 else 0 end),
  check ((due_at is not null) = (phase in ('PENDING', 'CLEARING')))
);

create index alarm_watches_due on alarm_watches (due_at) where due_at is not null;

-- Events are as things were when they were raised. They outlive what they name, but not the Variable.
create table alarm_events (
  organization_id uuid not null,
  id uuid not null,
  alarm_id uuid not null,
  alarm_name text not null,
  alarm_name_folded text not null,
  severity text not null,
  operator text not null,
  threshold jsonb,
  device_id uuid not null,
  device_name text not null,
  variable_id uuid not null,
  variable_name text not null,
  asset_ids uuid[] not null,
  location_id uuid,
  -- Of the Device and of the Assets.
  location_ids uuid[] not null,
  alarm_group_id uuid,
  raised_at timestamptz not null,
  raised_value jsonb not null,
  cleared_at timestamptz,
  cleared_value jsonb,
  cleared_reason text
    check (cleared_reason in ('RECOVERED', 'DISABLED', 'ARCHIVED', 'RECONFIGURED')),
  is_acknowledgeable boolean not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  -- Whether nobody was to be told when it was raised.
  is_shelved boolean not null,
  revision integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, variable_id)
    references variables (organization_id, id) on delete cascade,
  check (cleared_at >= raised_at),
  check ((cleared_at is null) = (cleared_reason is null)),
  check (cleared_value is null or cleared_at is not null),
  check ((acknowledged_at is null) = (acknowledged_by is null))
);

create unique index alarm_events_one_open on alarm_events (organization_id, alarm_id)
  where cleared_at is null;
create index alarm_events_newest on alarm_events (organization_id, raised_at desc, id desc);
create index alarm_events_span on alarm_events
  using gist (organization_id, tstzrange(raised_at, cleared_at, '[]'));
create index alarm_events_by_alarm on alarm_events (organization_id, alarm_id, raised_at desc);
create index alarm_events_by_variable on alarm_events (organization_id, variable_id);
create index alarm_events_by_group on alarm_events (organization_id, alarm_group_id, raised_at desc);
create index alarm_events_by_asset on alarm_events using gin (asset_ids);
create index alarm_events_by_location on alarm_events using gin (location_ids);
create index alarm_events_by_name on alarm_events using gin (alarm_name_folded gin_trgm_ops);

create table alarm_event_notes (
  organization_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  text text not null check (char_length(text) between 1 and 2000),
  author text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, event_id)
    references alarm_events (organization_id, id) on delete cascade
);

create index alarm_event_notes_by_event
  on alarm_event_notes (organization_id, event_id, created_at, id);

-- Only ever added to. The number is the order in which things became known.
create table alarm_event_log (
  number bigint generated always as identity primary key,
  organization_id uuid not null,
  event_id uuid not null,
  kind text not null check (kind in ('RAISED', 'CLEARED', 'ACKNOWLEDGED', 'NOTE', 'NOTIFIED')),
  -- When it happened: reading time where a reading did it.
  at timestamptz not null,
  recorded_at timestamptz not null,
  actor text,
  detail text,
  foreign key (organization_id, event_id)
    references alarm_events (organization_id, id) on delete cascade
);

create index alarm_event_log_in_order on alarm_event_log (organization_id, number);
create index alarm_event_log_by_event on alarm_event_log (organization_id, event_id, number);

-- What is yet to be told, written with what happened.
create table notification_outbox (
  id uuid primary key,
  organization_id uuid not null,
  event_id uuid not null,
  kind text not null check (kind in ('raised', 'cleared', 'acknowledged')),
  created_at timestamptz not null,
  foreign key (organization_id, event_id)
    references alarm_events (organization_id, id) on delete cascade
);

create index notification_outbox_oldest on notification_outbox (created_at, id);
create index notification_outbox_by_event on notification_outbox (organization_id, event_id);
