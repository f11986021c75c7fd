-- Pages: runs of escalation policies.

create table pages (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- Null for a test. The policy may be deleted: the page goes on with the copy.
  policy_id uuid,
  policy_name text not null,
  -- As it was when the page began.
  policy jsonb not null,
  -- Events of the same key join it.
  group_key text not null,
  state text not null check (state in ('ACTIVE', 'ACKNOWLEDGED', 'RESOLVED', 'EXHAUSTED')),
  -- The highest of its events.
  severity text not null check (severity in ('INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  is_test boolean not null,
  loop integer not null,
  -- The last step that was run, of this loop; null before the first.
  step smallint,
  -- After this loop the page is exhausted.
  last_loop integer not null,
  next_loop integer,
  next_step smallint,
  next_at timestamptz,
  active_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_user_id uuid,
  remind_at timestamptz,
  -- When those who were paged were last told that it is resolved.
  resolution_sent_at timestamptz,
  -- When it is looked at next; null when only a change of its events matters.
  wake_at timestamptz,
  -- Events that joined silently, since their Alarm chatters.
  chatter_count integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  check (num_nulls(next_loop, next_step, next_at) in (0, 3))
);

create index pages_newest on pages (organization_id, created_at desc, id desc);
create index pages_due on pages (wake_at) where wake_at is not null;
create index pages_by_key on pages (organization_id, policy_id, group_key, created_at desc);
create index pages_open on pages (organization_id, state) where state <> 'RESOLVED';

create table page_events (
  organization_id uuid not null,
  page_id uuid not null,
  event_id uuid not null,
  alarm_id uuid not null,
  severity text not null,
  joined_at timestamptz not null,
  primary key (organization_id, page_id, event_id),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade
);

create index page_events_by_event on page_events (organization_id, event_id);
create index page_events_by_alarm on page_events (organization_id, alarm_id, joined_at desc);

-- What a step did with each of its targets. A step of a loop pages a target once.
create table page_steps (
  organization_id uuid not null,
  page_id uuid not null,
  loop integer not null,
  step smallint not null,
  target text not null,
  is_reached boolean not null,
  at timestamptz not null,
  primary key (organization_id, page_id, loop, step, target),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade
);

create table page_log (
  organization_id uuid not null,
  page_id uuid not null,
  number bigint generated always as identity,
  kind text not null,
  at timestamptz not null,
  actor text,
  detail text,
  primary key (organization_id, page_id, number),
  foreign key (organization_id, page_id) references pages (organization_id, id) on delete cascade
);

-- Deliveries of pages are in the ledger of all others.
alter table deliveries
  add column page_id uuid,
  add column page_loop integer,
  add column page_step smallint,
  add column user_id uuid,
  drop constraint deliveries_check,
  drop constraint deliveries_check1,
  drop constraint deliveries_state_check,
  add constraint deliveries_state_check
    check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  add constraint deliveries_notice
    check (page_id is not null or (type = 'alarm.digest') = (notice_id is null)),
  add constraint deliveries_event
    check (page_id is not null or (notice_id is null) = (event_id is null)),
  add constraint deliveries_page
    check (num_nulls(page_id, page_loop, page_step) in (0, 3));

create index deliveries_of_page on deliveries (organization_id, page_id, created_at)
  where page_id is not null;
