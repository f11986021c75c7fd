-- What Devices reported: a journal of batches as they came, and the history that is made of it.

-- The small key by which history names a Variable. It is never used again.
alter table variables
  add column number bigint generated always as identity
    constraint variables_number_unique unique;

-- How long history is kept; null means for ever.
alter table organizations
  add column retention_days integer check (retention_days between 1 and 36500);

-- Each start of a server writes under a number of its own.
create sequence journal_writers;

-- Readings that are in no chunk yet, a row a batch. The writer gives the ids, in the order in
-- which batches count.
create table journal (
  writer bigint not null,
  id bigint not null,
  data bytea not null,
  primary key (writer, id)
);

-- Each value of `written` is one sealing. Where chunks of a Variable hold the same time, the one
-- that was written later is right.
create sequence chunk_writes;

-- The order of the key lets one walk find what touches a range of time.
create table chunks (
  variable_number bigint not null references variables (number) on delete cascade,
  last_at bigint not null,
  first_at bigint not null,
  written bigint not null,
  count integer not null check (count > 0),
  -- Of numbers only.
  minimum double precision,
  maximum double precision,
  total double precision,
  first_value double precision,
  last_value double precision,
  data bytea not null,
  primary key (variable_number, last_at, first_at, written),
  check (first_at <= last_at),
  check (num_nonnulls(minimum, maximum, total, first_value, last_value) in (0, 5))
);

-- The bytes of both are dense already.
alter table journal alter column data set storage external;
alter table chunks alter column data set storage external;

-- The newest value of each Variable, as of the last sealing.
create table latest_values (
  variable_number bigint primary key references variables (number) on delete cascade,
  at bigint not null,
  number_value double precision,
  boolean_value boolean,
  string_value text,
  check (num_nonnulls(number_value, boolean_value, string_value) = 1)
);
