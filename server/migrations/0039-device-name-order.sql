-- Devices in the order of their names. There is no index of when they were last seen: it would have
-- every write of those times update all indexes of the table.
create index devices_by_folded_name on devices (organization_id, name_folded, id);
