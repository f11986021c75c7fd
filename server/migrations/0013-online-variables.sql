-- Every Device has a Variable of ours that follows whether the Device is online.

alter table variables add column is_built_in boolean not null default false;

-- The path of a built-in one is nobody's: people may use it too.
alter table variables drop constraint variables_path_unique;
create unique index variables_path_unique
  on variables (organization_id, device_id, topic_property_path) where not is_built_in;
create unique index variables_one_built_in
  on variables (organization_id, device_id) where is_built_in;

-- What the built-in Variable last said; it says nothing before the Device was first there.
alter table devices add column is_online boolean not null default false;
create index devices_online on devices (id) where is_online;

insert into variables (organization_id, id, device_id, topic_property_path,
  topic_property_path_folded, type, name, name_folded, is_logging_enabled, is_built_in,
  created_at, updated_at)
select organization_id, (left(id::text, 24) || left(md5(id::text), 12))::uuid, id, 'isOnline',
  'isonline', 'BOOLEAN', 'Online', 'online', true, true, created_at, created_at
from devices;
