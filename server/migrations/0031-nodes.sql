-- The servers on this database. Several share its load: each owns some of the partitions that the
-- Devices are divided into.

-- Every start of a node has an epoch of its own, and so has a node that another one took over from.
create sequence node_epochs;

create table nodes (
  id uuid primary key,
  epoch bigint not null,
  -- By the clock of the database. A node renews this every two seconds.
  alive_until timestamptz not null,
  -- When another node took over; null while it is not lost.
  lost_at timestamptz,
  version text not null,
  started_at timestamptz not null
);

-- The partitions that have an owner; the others are free.
create table partitions (
  number smallint primary key,
  owner uuid not null references nodes on delete cascade
);

-- The fence. A transaction of a node calls this with the epoch that the node has: it fails when
-- another node has taken over since. A node that takes over locks the row of the other for update,
-- and so waits for the transactions that have passed here.
create function require_epoch(node_id uuid, node_epoch bigint) returns boolean language plpgsql as $$
begin
  perform from nodes where id = node_id and epoch = node_epoch for key share;
  if not found then
    raise exception 'the epoch of this node has ended' using errcode = 'FW002';
  end if;
  return true;
end $$;
