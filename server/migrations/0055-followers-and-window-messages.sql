-- Alarm groups that people follow themselves, and messages at the start and end of maintenance.

create table alarm_group_followers (
  organization_id uuid not null,
  alarm_group_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, alarm_group_id, user_id),
  foreign key (organization_id, alarm_group_id)
    references alarm_groups (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id)
    references memberships (organization_id, user_id) on delete cascade
);

create index alarm_group_followers_of_user
  on alarm_group_followers (organization_id, user_id, created_at desc, alarm_group_id desc);

-- Messages that wait for the end of somebody's quiet hours.
create index deliveries_waiting_of_user on deliveries (organization_id, target_id, user_id)
  where user_id is not null and page_id is null and state = 'PENDING';

alter table maintenance_windows
  add column tells_start boolean not null default false,
  add column tells_end boolean not null default false;
