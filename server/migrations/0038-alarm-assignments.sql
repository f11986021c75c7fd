-- Who is assigned to an alarm event: at most one member. The event itself is unchanged by it.
create table alarm_assignments (
  organization_id uuid not null,
  event_id uuid not null,
  user_id uuid not null,
  assigned_by text not null,
  assigned_at timestamptz not null,
  primary key (organization_id, event_id),
  foreign key (organization_id, event_id)
    references alarm_events (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id)
    references memberships (organization_id, user_id) on delete cascade
);

create index alarm_assignments_by_user on alarm_assignments (organization_id, user_id);

alter table alarm_event_log drop constraint alarm_event_log_kind_check;
alter table alarm_event_log add constraint alarm_event_log_kind_check
  check (kind in ('RAISED', 'CLEARED', 'ACKNOWLEDGED', 'NOTE', 'NOTIFIED', 'ASSIGNED')) not valid;
