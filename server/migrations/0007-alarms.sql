-- What watches Variables.

create table alarms (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  is_active boolean not null,
  device_id uuid not null,
  variable_id uuid not null,
  operator text not null check (operator in ('LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN',
    'GREATER_THAN_OR_EQUAL', 'EQUAL', 'NOT_EQUAL')),
  alarm_group_id uuid,
  threshold_number double precision check (threshold_number between 0 and 999999),
  threshold_string text check (char_length(threshold_string) <= 500),
  threshold_boolean boolean,
  severity text not null check (severity in ('INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  is_acknowledgeable boolean not null,
  delay_seconds smallint check (delay_seconds between 0 and 900),
  -- Since when the condition holds; null while it does not.
  triggered_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id),
  -- In one key, so that no alarm names a Device beside a Variable of another.
  foreign key (organization_id, device_id, variable_id)
    references variables (organization_id, device_id, id) on delete cascade,
  foreign key (organization_id, alarm_group_id)
    references alarm_groups (organization_id, id) on delete set null (alarm_group_id),
  check (num_nonnulls(threshold_number, threshold_string, threshold_boolean) <= 1)
);

create index alarms_newest on alarms (organization_id, created_at desc, id desc);
create index alarms_active on alarms (organization_id, created_at desc, id desc)
  where archived_at is null;
create index alarms_archived on alarms (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index alarms_triggered on alarms (organization_id, created_at desc, id desc)
  where triggered_at is not null;
create index alarms_by_severity on alarms (organization_id, severity, created_at desc, id desc);
create index alarms_by_status on alarms (organization_id, is_active, created_at desc, id desc);
-- The Device is behind the Variable, which alone finds what a deletion takes along.
create index alarms_by_variable on alarms (organization_id, variable_id, device_id);
create index alarms_by_group on alarms (organization_id, alarm_group_id);
create index alarms_by_name on alarms using gin (name_folded gin_trgm_ops);
