-- What a record names may be deleted, and then it names nothing. That is a change of the record like
-- any other: whoever read it before has an old one. Edits count their revision themselves. Nobody
-- edited the record, so the time of its last edit stays.
create function count_lost_reference() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end
$$;

create trigger locations_lost_reference before update of parent_id on locations for each row
  when (new.parent_id is null and old.parent_id is not null and new.revision = old.revision)
  execute function count_lost_reference();
create trigger devices_lost_reference before update of location_id, parent_device_id on devices
  for each row
  when (num_nulls(new.location_id, new.parent_device_id)
      > num_nulls(old.location_id, old.parent_device_id) and new.revision = old.revision)
  execute function count_lost_reference();
create trigger variable_folders_lost_reference before update of parent_id on variable_folders
  for each row
  when (new.parent_id is null and old.parent_id is not null and new.revision = old.revision)
  execute function count_lost_reference();
create trigger variables_lost_reference before update of folder_id on variables for each row
  when (new.folder_id is null and old.folder_id is not null and new.revision = old.revision)
  execute function count_lost_reference();
create trigger assets_lost_reference before update of location_id, dashboard_id, parent_id on assets
  for each row
  when (num_nulls(new.location_id, new.dashboard_id, new.parent_id)
      > num_nulls(old.location_id, old.dashboard_id, old.parent_id)
    and new.revision = old.revision)
  execute function count_lost_reference();
create trigger alarms_lost_reference before update of alarm_group_id on alarms for each row
  when (new.alarm_group_id is null and old.alarm_group_id is not null
    and new.revision = old.revision)
  execute function count_lost_reference();
