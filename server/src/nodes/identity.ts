import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataDirFailure, isUuid, makeDataDir, StartFailure } from '../runtime/index.ts';
import type { LockKey, Queries, SessionLocks, Storage } from '../storage/index.ts';
import { announceChange, endLockHolder, findLease } from './store.ts';

const FILE = 'node-id';

/**
 * The id of the node whose data directory this is; made at its first start. Several processes on one
 * directory are as many nodes, and numbered from 1.
 */
export function readNodeId(dataDir: string, processNumber = 1): string {
  const path = join(dataDir, processNumber === 1 ? FILE : `${FILE}-${processNumber}`);
  try {
    makeDataDir(dataDir);
    writeFileSync(path, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (!existsSync(path)) throw dataDirFailure(dataDir, error);
  }
  const id = readFileSync(path, 'utf8').trim();
  if (isUuid(id)) return id;
  throw new StartFailure(
    `FIELDWATCH_DATA_DIR: ${path} is damaged; remove it, and the node gets a new id.`,
  );
}

/** The ids that earlier starts made in a data directory; empty where no server has started. */
export function readKnownNodeIds(dataDir: string): string[] {
  try {
    return readdirSync(dataDir)
      .filter((name) => /^node-id(-\d+)?$/.test(name))
      .map((name) => readFileSync(join(dataDir, name), 'utf8').trim());
  } catch {
    return [];
  }
}

const NODE_SPACE = 0x46_57_4e_44;
const PAUSE_MS = 100;

/** PostgreSQL's locks have 32 bits for the node: enough for ids that are random. */
function keyOf(nodeId: string): LockKey {
  return { space: NODE_SPACE, number: Number.parseInt(nodeId.slice(-8), 16) | 0 };
}

/** How long a living node has to renew its lease when it is asked to. */
const RENEWAL_LIMIT_MS = 3_000;

/**
 * Takes the lock that says that the node with this id runs. Where another session has it, that is
 * the end of an earlier start, which passes, or another server with a copy of the id, which renews
 * its lease when it hears of this one.
 */
async function claimIdentity(db: Queries, locks: SessionLocks, nodeId: string): Promise<void> {
  const key = keyOf(nodeId);
  const first = await findLease(db, nodeId);
  if (await locks.tryLock(key)) return;
  await announceChange(db);
  for (let waitedMs = 0; !(await locks.tryLock(key)); waitedMs += PAUSE_MS) {
    const lease = await findLease(db, nodeId);
    if (lease !== null && first !== null && lease.until !== first.until) {
      throw new StartFailure(
        `FIELDWATCH_DATA_DIR: another server with the id of this node is running. If the data directory is a copy, remove ${FILE} from it.`,
      );
    }
    const hasEnded = lease === null || lease.hasEnded;
    if (hasEnded && waitedMs >= RENEWAL_LIMIT_MS) await endLockHolder(db, key);
    await sleep(PAUSE_MS);
  }
}

/** Takes the lock of a node's id, on a session of its own. Reports when that has ended. */
export async function holdIdentity(
  storage: Pick<Storage, 'openSessionLocks' | 'nodes'>,
  nodeId: string,
  onEnd: (locks: SessionLocks) => void,
): Promise<SessionLocks> {
  const locks = await storage.openSessionLocks(() => onEnd(locks));
  try {
    await claimIdentity(storage.nodes, locks, nodeId);
    return locks;
  } catch (error) {
    await locks.end();
    throw error;
  }
}
