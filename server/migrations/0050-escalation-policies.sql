-- Who is paged about the events of alarm groups, when, and who after that.

create table escalation_policies (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  name_folded text not null,
  description text check (char_length(description) <= 500),
  -- In order, each with its targets. What a target names may be deleted: the target stays, reaches
  -- nobody and is shown as a warning, so that no deletion changes a policy unseen.
  steps jsonb not null,
  repeat smallint not null check (repeat between 0 and 9),
  acknowledge_timeout_seconds integer check (acknowledge_timeout_seconds > 0),
  group_seconds smallint not null check (group_seconds between 0 and 600),
  group_by text not null check (group_by in ('LOCATION', 'ASSET', 'NONE')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision integer not null default 1 check (revision > 0),
  primary key (organization_id, id)
);

create index escalation_policies_newest
  on escalation_policies (organization_id, created_at desc, id desc);
create index escalation_policies_by_name
  on escalation_policies using gin (name_folded gin_trgm_ops);

alter table alarm_groups
  add column escalation_policy_id uuid,
  add column reminder_minutes integer check (reminder_minutes between 1 and 10080),
  add constraint alarm_groups_escalation_policy foreign key (organization_id, escalation_policy_id)
    references escalation_policies (organization_id, id)
    on delete set null (escalation_policy_id);

create index alarm_groups_by_escalation_policy
  on alarm_groups (organization_id, escalation_policy_id) where escalation_policy_id is not null;
