-- Files of configuration have rotas and escalation policies.

alter table managed_resources
  add column rota_id uuid,
  add column escalation_policy_id uuid,
  add foreign key (organization_id, rota_id)
    references rotas (organization_id, id) on delete cascade,
  add foreign key (organization_id, escalation_policy_id)
    references escalation_policies (organization_id, id) on delete cascade,
  drop constraint managed_resources_kind_check,
  add constraint managed_resources_kind_check check (kind in ('LOCATION', 'VARIABLE_FOLDER',
    'DEVICE', 'VARIABLE', 'WEBHOOK', 'ROTA', 'ALARM_GROUP', 'ESCALATION_POLICY', 'ALARM', 'ASSET',
    'DASHBOARD')),
  drop constraint managed_resources_check,
  add constraint managed_resources_check check (num_nonnulls(location_id, folder_id, device_id,
    variable_id, webhook_id, rota_id, alarm_group_id, escalation_policy_id, alarm_id, asset_id,
    dashboard_id) = 1);

create unique index managed_resources_by_rota
  on managed_resources (organization_id, rota_id) where rota_id is not null;
create unique index managed_resources_by_escalation_policy
  on managed_resources (organization_id, escalation_policy_id)
  where escalation_policy_id is not null;
