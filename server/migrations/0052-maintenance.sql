-- Maintenance windows, and notifications that are held back: during a window, behind a Device that
-- is offline, and while it is not known yet whether one is.

create table maintenance_windows (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  reason text not null check (char_length(reason) between 1 and 500),
  reason_folded text not null,
  mode text not null check (mode in ('QUIET', 'TEST')),
  -- None means all.
  severities text[] not null,
  -- A deleted record stays here and matches nothing: a deletion must not widen a scope.
  location_ids uuid[] not null,
  asset_ids uuid[] not null,
  device_ids uuid[] not null,
  alarm_group_ids uuid[] not null,
  alarm_ids uuid[] not null,
  starts_at timestamptz,
  ends_at timestamptz,
  recurrence jsonb,
  -- A period that began before this time ended then.
  ended_at timestamptz,
  -- When it starts or ends next; null once it is over.
  next_at timestamptz,
  -- The end of the period in progress.
  open_to timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  check (num_nonnulls(starts_at, ends_at) = case when recurrence is null then 2 else 0 end)
);

create index maintenance_windows_newest
  on maintenance_windows (organization_id, created_at desc, id desc);
create index maintenance_windows_due on maintenance_windows (next_at) where next_at is not null;
create index maintenance_windows_pending on maintenance_windows (organization_id)
  where next_at is not null;

-- Notifications of raised events that left the outbox and were not sent yet.
create table held_notifications (
  id uuid primary key,
  organization_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null,
  -- SETTLE waits for what a Device above turns out to be.
  reason text not null check (reason in ('MAINTENANCE', 'SETTLE', 'TOPOLOGY')),
  -- The window, or the Device above.
  cause_id uuid not null,
  -- Null while the end is not known.
  due_at timestamptz,
  foreign key (organization_id, event_id)
    references alarm_events (organization_id, id) on delete cascade
);

create index held_notifications_by_event on held_notifications (organization_id, event_id);
create index held_notifications_by_cause on held_notifications (organization_id, cause_id);
create index held_notifications_due on held_notifications (reason, due_at);

-- Devices that are offline without an event of their own, as the first event behind them reported.
create table device_outages (
  organization_id uuid not null,
  device_id uuid not null,
  event_id uuid not null,
  severity text not null,
  primary key (organization_id, device_id),
  foreign key (organization_id, device_id)
    references devices (organization_id, id) on delete cascade
);

-- A notification that was held back: whether it is to wait no more, and the digest that it is of.
alter table notification_outbox
  add column is_settled boolean not null default false,
  add column digest jsonb;

alter table alarm_events
  add column suppression_kind text
    check (suppression_kind in ('MAINTENANCE', 'TEST', 'TOPOLOGY')),
  add column suppression_id uuid;

alter table alarm_event_log drop constraint alarm_event_log_kind_check;
alter table alarm_event_log add constraint alarm_event_log_kind_check
  check (kind in ('RAISED', 'CLEARED', 'ACKNOWLEDGED', 'NOTE', 'NOTIFIED', 'ASSIGNED',
    'SUPPRESSED')) not valid;
