import {
  type LockKey,
  type Queries,
  run,
  type Statement,
  sql,
  statementOf,
  type Transaction,
} from '../storage/index.ts';
import { PARTITION_COUNT } from './partition.ts';
import type { NodeReport } from './report.ts';
import { formerSessionName } from './session.ts';

/** A start of a node: what its commits carry. */
export interface Incarnation {
  readonly id: string;
  readonly epoch: number;
}

export interface NewNode {
  readonly id: string;
  readonly version: string;
  /** Where other nodes reach it: host:port. */
  readonly address: string;
}

export const LEASE_SECONDS = 6;
/** A node whose sessions have ended is taken over from before its lease ends. */
export const MIN_SILENCE_SECONDS = 3;

/** Enters a node that starts, with a new epoch: commits of an earlier start are fenced off. */
export async function insertNode(
  tx: Transaction,
  { id, version, address }: NewNode,
): Promise<number> {
  const [row] = await run<{ epoch: number }>(
    tx,
    sql`insert into nodes (id, epoch, alive_until, version, address, started_at, migration,
          session_name)
        values (${id}, nextval('node_epochs'), now() + ${LEASE_SECONDS} * interval '1 second',
          ${version}, ${address}, now(), (select max(version) from schema_migrations),
          current_setting('application_name'))
        on conflict (id) do update set epoch = excluded.epoch, alive_until = excluded.alive_until,
          lost_at = null, is_ready = false, is_stopping = false, report = null,
          version = excluded.version, address = excluded.address,
          started_at = excluded.started_at, migration = excluded.migration,
          session_name = excluded.session_name
        returning epoch`,
  );
  if (!row) throw new Error('the node was not entered');
  return row.epoch;
}

/** Waits for the commits of a node that are in progress, and keeps others away until the end. */
export async function lockNode(tx: Transaction, id: string): Promise<void> {
  await run(tx, sql`select from nodes where id = ${id} for update`);
}

export interface NodeLease {
  readonly until: number;
  readonly hasEnded: boolean;
}

export async function findLease(db: Queries, id: string): Promise<NodeLease | null> {
  const [row] = await run<NodeLease>(
    db,
    sql`select alive_until as until, alive_until < now() as "hasEnded" from nodes where id = ${id}`,
  );
  return row ?? null;
}

/** Ends the session that holds a lock though its node is gone. */
export async function endLockHolder(db: Queries, { space, number }: LockKey): Promise<void> {
  await run(
    db,
    sql`select pg_terminate_backend(pid, 1000) from pg_locks
        where locktype = 'advisory' and granted and objsubid = 2
          and database = (select oid from pg_database where datname = current_database())
          and classid::bigint = ${space}::bigint and objid::bigint = ${number >>> 0}::bigint`,
  );
}

/** Extends the lease of a node, with its report. False when its epoch has ended. */
export async function renewLease(
  tx: Transaction,
  { id, epoch }: Incarnation,
  report: NodeReport,
): Promise<boolean> {
  const rows = await run(
    tx,
    sql`update nodes set alive_until = now() + ${LEASE_SECONDS} * interval '1 second',
          report = ${JSON.stringify(report)}
        where id = ${id} and epoch = ${epoch}
        returning 1`,
  );
  return rows.length > 0;
}

/** Says whether partitions may be given to a node, which has started or stops. */
export async function setReady(
  tx: Transaction,
  { id, epoch }: Incarnation,
  isReady: boolean,
): Promise<void> {
  await run(
    tx,
    sql`update nodes set is_ready = ${isReady}, is_stopping = ${!isReady}
        where id = ${id} and epoch = ${epoch}`,
  );
}

export interface NodeRow {
  readonly id: string;
  readonly epoch: number;
  readonly version: string;
  /** Where other nodes reach it: host:port. */
  readonly address: string;
  readonly startedAt: number;
  readonly lostAt: number | null;
  /** It has started and does not stop: partitions may be given to it. */
  readonly isReady: boolean;
  readonly isStopping: boolean;
  readonly leaseSeconds: number;
  /** The newest migration that its version knows; null of versions that do not say. */
  readonly migration: number | null;
  /** As its version wrote it at its last renewal. */
  readonly report: unknown;
  readonly hasSessions: boolean;
  /** Its lease has ended, or its sessions have and it has been silent for a while. */
  readonly isGone: boolean;
}

/** Of a row of `nodes`: the name that its sessions carry. */
const NAME_OF_SESSIONS = sql`coalesce(nodes.session_name, ${formerSessionName('')} || nodes.id)`;

/** All nodes, the oldest first. Sessions of a node are found by the name that they carry. */
export function listNodes(db: Queries): Promise<NodeRow[]> {
  return run(
    db,
    sql`select id, epoch, version, address, started_at as "startedAt", lost_at as "lostAt",
          is_ready as "isReady", is_stopping as "isStopping", migration, report,
          greatest(0, extract(epoch from alive_until - now()))::float8 as "leaseSeconds",
          has_sessions as "hasSessions",
          alive_until < now() or (alive_until < now() + ${LEASE_SECONDS - MIN_SILENCE_SECONDS}
            * interval '1 second' and not has_sessions) as "isGone"
        from nodes cross join lateral (select exists (select from pg_stat_activity
          where datname = current_database()
            and application_name = ${NAME_OF_SESSIONS}) as has_sessions) as sessions
        order by started_at, id`,
  );
}

/** The owner of each partition, by number; null where it is free. */
export async function listOwners(db: Queries): Promise<(string | null)[]> {
  const rows = await run<{ number: number; owner: string }>(
    db,
    sql`select number, owner from partitions`,
  );
  const owners = Array<string | null>(PARTITION_COUNT).fill(null);
  for (const { number, owner } of rows) owners[number] = owner;
  return owners;
}

/**
 * Ends the epoch of a node that is gone, once its commits in progress have ended; fails when that
 * takes long. Undefined when it has renewed its lease meanwhile, or another node was faster.
 */
export async function endEpoch(
  tx: Transaction,
  { id, epoch }: Incarnation,
): Promise<Incarnation | undefined> {
  await run(tx, sql`set local lock_timeout = '1s'`);
  await lockNode(tx, id);
  const [lost] = await run<Incarnation>(
    tx,
    sql`update nodes set epoch = nextval('node_epochs'), lost_at = now()
        where id = ${id} and epoch = ${epoch} and lost_at is null
          and alive_until < now() + ${LEASE_SECONDS - MIN_SILENCE_SECONDS} * interval '1 second'
        returning id, epoch`,
  );
  return lost;
}

/** Whether the epoch of a node was ended by another one, and the node has not started again. */
export async function isLost(db: Queries, { id, epoch }: Incarnation): Promise<boolean> {
  const rows = await run(
    db,
    sql`select id from nodes where id = ${id} and epoch = ${epoch} and lost_at is not null`,
  );
  return rows.length > 0;
}

/**
 * Ends the database sessions of a node's start: what it was doing there is rolled back, its locks
 * are free. A start after it keeps its own. False when some have not ended within a second.
 */
export async function endSessions(db: Queries, { id, epoch }: Incarnation): Promise<boolean> {
  // A wait for one session takes a tenth of a second or more: all of them end meanwhile.
  const sessions = await run<{ pid: number; name: string; isSignalled: boolean }>(
    db,
    sql`select pid, application_name as name, pg_terminate_backend(pid) as "isSignalled"
        from nodes join pg_stat_activity on application_name = ${NAME_OF_SESSIONS}
        where nodes.id = ${id} and nodes.epoch = ${epoch} and datname = current_database()`,
  );
  const name = sessions[0]?.name;
  if (name === undefined) return true;
  const pids = sessions.map(({ pid }) => pid);
  const ofNode = sql`pid = any(${pids}::int[]) and application_name = ${name}`;
  await run(db, sql`select pg_terminate_backend(pid, 1000) from pg_stat_activity where ${ofNode}`);
  const left = await run(db, sql`select pid from pg_stat_activity where ${ofNode}`);
  return left.length === 0;
}

/** Gives a node all partitions, unless another one owns some. */
export async function takeAllPartitions(tx: Transaction, { id }: Incarnation): Promise<void> {
  // Of two nodes that start together one gets all, and the other one none.
  await run(tx, sql`lock table partitions in share row exclusive mode`);
  await run(
    tx,
    sql`insert into partitions (number, owner)
        select number, ${id}::uuid from generate_series(0, ${PARTITION_COUNT - 1}) as number
        where not exists (select from partitions where owner <> ${id})
        on conflict do nothing`,
  );
}

/** Takes those of the partitions that are free. */
export async function takePartitions(
  tx: Transaction,
  owner: Incarnation,
  partitions: readonly number[],
): Promise<void> {
  await requireEpoch(tx, owner);
  await run(
    tx,
    sql`insert into partitions (number, owner)
        select number, ${owner.id}::uuid from unnest(${partitions}::smallint[]) as free (number)
        on conflict do nothing`,
  );
}

/** Gives partitions of a node to another one, unless that has left. */
export async function movePartitions(
  tx: Transaction,
  from: Incarnation,
  { to, partitions }: { readonly to: string; readonly partitions: readonly number[] },
): Promise<void> {
  await requireEpoch(tx, from);
  await run(
    tx,
    sql`update partitions set owner = ${to}
        where number = any(${partitions}::smallint[]) and owner = ${from.id}
          and exists (select from nodes where id = ${to} and lost_at is null for key share)`,
  );
}

/** Frees the partitions of a node that is lost. */
export async function freePartitions(tx: Transaction, lostId: string): Promise<void> {
  await run(
    tx,
    sql`delete from partitions using nodes
        where nodes.id = ${lostId} and lost_at is not null and owner = nodes.id`,
  );
}

/** Removes nodes that were lost a day ago, for good. */
export async function deleteLongLost(tx: Transaction): Promise<void> {
  await run(tx, sql`delete from nodes where lost_at < now() - interval '1 day'`);
}

/** Removes a node that stops; its partitions are free. */
export async function deleteNode(tx: Transaction, { id, epoch }: Incarnation): Promise<void> {
  await run(tx, sql`delete from nodes where id = ${id} and epoch = ${epoch}`);
}

/** Removes all nodes: a backup has those of the installation that it was made of. */
export async function deleteAllNodes(db: Queries): Promise<void> {
  await run(db, sql`delete from nodes`);
}

/** Fails when another node has taken over; until the transaction ends, none does. */
export async function requireEpoch(tx: Transaction, { id, epoch }: Incarnation): Promise<void> {
  await run(tx, sql`select require_epoch(${id}, ${epoch})`);
}

/** The same as a statement of its own. */
export function epochStatement({ id, epoch }: Incarnation): Statement {
  return statementOf(sql`select require_epoch(${id}, ${epoch})`);
}

/** Lets every node look at nodes and partitions at once. */
export async function announceChange(db: Queries): Promise<void> {
  await run(db, sql`select pg_notify('fieldwatch_partitions', '')`);
}
