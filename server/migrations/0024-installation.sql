-- One row once a server has started on this database. The check value is derived from the secret
-- key, so that a start with another key is noticed; null until a start has recorded it.
create table installation (
  only_row boolean primary key default true check (only_row),
  key_check bytea
);

insert into installation (key_check) select null where exists (select from organizations);
