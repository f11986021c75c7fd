-- Ten thousand events within a second: what each of them costs is cut to what it needs.

-- Whether an alarm is triggered is what its open event says. Writing it into the alarm as well made
-- an entry in every index of the alarm.
drop index alarms_triggered;
alter table alarms drop column triggered_at;

-- References were checked row by row, on a connection that had met the tables while they were small
-- by reading all of them each time. Who writes here holds the alarm locked, and an alarm goes with
-- its Variable: nothing can be written for what is gone. What goes along is deleted as a set.
alter table alarm_watches drop constraint alarm_watches_organization_id_alarm_id_fkey;
alter table alarm_events drop constraint alarm_events_organization_id_variable_id_fkey;
alter table alarm_event_log drop constraint alarm_event_log_organization_id_event_id_fkey;
-- A notice of an event that is gone is taken out of the outbox, and tells nothing.
alter table notification_outbox drop constraint notification_outbox_organization_id_event_id_fkey;
drop index notification_outbox_by_event;

create function delete_watches() returns trigger language plpgsql as $$
begin
  delete from alarm_watches using gone
  where alarm_watches.organization_id = gone.organization_id and alarm_watches.alarm_id = gone.id;
  return null;
end
$$;

create trigger alarms_delete_watches after delete on alarms referencing old table as gone
  for each statement execute function delete_watches();

create function delete_events() returns trigger language plpgsql as $$
begin
  delete from alarm_events using gone
  where alarm_events.organization_id = gone.organization_id and alarm_events.variable_id = gone.id;
  return null;
end
$$;

create trigger variables_delete_events after delete on variables referencing old table as gone
  for each statement execute function delete_events();

create function delete_with_events() returns trigger language plpgsql as $$
begin
  delete from alarm_event_log using gone
  where alarm_event_log.organization_id = gone.organization_id
    and alarm_event_log.event_id = gone.id;
  delete from alarm_event_names names using gone
  where names.organization_id = gone.organization_id and names.alarm_id = gone.alarm_id
    and not exists (select 1 from alarm_events left_over
      where left_over.organization_id = names.organization_id
        and left_over.alarm_id = names.alarm_id
        and left_over.alarm_name_folded = names.name_folded);
  return null;
end
$$;

create trigger alarm_events_delete_rest after delete on alarm_events referencing old table as gone
  for each statement execute function delete_with_events();

-- One index does for the key and for the order within an organization.
alter table alarm_event_log drop constraint alarm_event_log_pkey;
drop index alarm_event_log_in_order;
alter table alarm_event_log add primary key (organization_id, number);

-- Most events are of no asset and of no place.
drop index alarm_events_by_asset;
create index alarm_events_by_asset on alarm_events using gin (asset_ids) where asset_ids <> '{}';
drop index alarm_events_by_location;
create index alarm_events_by_location on alarm_events using gin (location_ids)
  where location_ids <> '{}';

-- Names are searched where each stands once, not once for every event: an entry of a text in such an
-- index costs as much as the rest of an event.
create table alarm_event_names (
  organization_id uuid not null,
  alarm_id uuid not null,
  name_folded text not null,
  primary key (organization_id, alarm_id, name_folded)
);

insert into alarm_event_names
select distinct organization_id, alarm_id, alarm_name_folded from alarm_events;

drop index alarm_events_by_name;
create index alarm_event_names_by_name on alarm_event_names using gin (name_folded gin_trgm_ops);

create function keep_event_names() returns trigger language plpgsql as $$
begin
  insert into alarm_event_names
  select distinct organization_id, alarm_id, alarm_name_folded from fresh
  on conflict do nothing;
  return null;
end
$$;

create trigger alarm_events_keep_names after insert on alarm_events referencing new table as fresh
  for each statement execute function keep_event_names();

-- Room for what is written again and again, so that no index has to follow.
alter table alarm_watches set (fillfactor = 70);
