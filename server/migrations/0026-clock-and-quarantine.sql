-- The time of the server as it was last recorded, and the last step that its clock made.
create table clock_record (
  is_only boolean primary key default true check (is_only),
  recorded_at timestamptz not null,
  stepped_at timestamptz,
  step_ms bigint,
  check (num_nonnulls(stepped_at, step_ms) in (0, 2))
);

-- Rows of the journal that cannot be decoded, with their bytes and why.
create table journal_quarantine (
  writer bigint not null,
  id bigint not null,
  data bytea not null,
  reason text not null,
  quarantined_at timestamptz not null,
  primary key (writer, id)
);
alter table journal_quarantine alter column data set storage external;
