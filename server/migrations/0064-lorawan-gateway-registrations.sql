-- Gateways that are registered at their network server by this one, like sensors.

alter table lorawan_provisionings rename column dev_eui to eui;

alter table lorawan_provisionings
  add column kind text not null default 'SENSOR' check (kind in ('SENSOR', 'GATEWAY')),
  drop constraint lorawan_provisionings_pkey,
  add primary key (organization_id, network_id, kind, eui);
