import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { type Clock, createAvailabilityLog, type Log, StartFailure } from '../runtime/index.ts';
import { type ChangeListener, type Listening, listenForChanges } from './change-notifications.ts';
import { findRunning, makePrivate, startEmbedded } from './embedded/index.ts';
import { reachExternal } from './external.ts';
import { ENCODING, migrate } from './migrate.ts';
import { createPool, type Target } from './pool.ts';
import { openSessionLocks } from './session-locks.ts';
import { createShare } from './share.ts';
import type { SessionLocks, Storage, Transactions } from './storage.ts';
import { createWriteProbe } from './write-probe.ts';

export interface EngineOptions {
  /** Null for a private PostgreSQL of the server's own, in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Where `postgres` and `initdb` are, when not those of the npm packages. */
  readonly postgresBin: string | null;
  /** False where a missing cluster is a loss, not a first start. */
  readonly mayCreateCluster?: boolean;
  /** A PostgreSQL that another process has started for this one. */
  readonly startedTarget?: Target | undefined;
  readonly log: Log;
  /** Called with a short text for steps that may take a while. */
  readonly onProgress: (text: string) => void;
}

export interface StorageOptions extends EngineOptions {
  readonly clock: Clock;
  readonly migrationsDir?: URL;
  readonly lanes?: Partial<LaneSizes>;
  /** The name that the database sessions of this server carry. */
  readonly sessionName?: string;
}

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** Connections of each lane. Those of all servers together must fit into `max_connections`. */
interface LaneSizes {
  readonly ingest: number;
  readonly requests: number;
  readonly background: number;
  readonly nodes: number;
}

/** Work that no request waits for has a tenth of the weight of others. */
const BACKGROUND_NICENESS = 10;
const LANE_SIZES: LaneSizes = { ingest: 3, requests: 6, background: 2, nodes: 2 };
/** Requests without credentials leave at least this many connections of the request lane alone. */
const CONNECTIONS_FOR_CREDENTIALS = 3;
const MAX_WAITING_ANONYMOUS = 200;
const ANONYMOUS_WAIT_LIMIT_MS = 5_000;

function anonymousShare(requests: Transactions, size: number): Transactions {
  return createShare(requests, {
    maxConcurrent: Math.max(1, size - CONNECTIONS_FOR_CREDENTIALS),
    maxWaiting: MAX_WAITING_ANONYMOUS,
    waitLimitMs: ANONYMOUS_WAIT_LIMIT_MS,
  });
}

function namedTarget(target: Target, name: string | undefined): Target {
  return name === undefined ? target : () => ({ ...target(), application_name: name });
}

interface Engine {
  readonly target: Target;
  stop(): Promise<void>;
}

async function startEngine(options: EngineOptions): Promise<Engine> {
  const { startedTarget } = options;
  if (startedTarget) return { target: startedTarget, stop: async () => undefined };
  if (options.databaseUrl === null) return await startEmbedded(options);
  // A cluster in the directory may still be used by a PostgreSQL that runs as another user.
  const hasCluster = existsSync(join(options.dataDir, 'postgres'));
  await makePrivate(options.dataDir, hasCluster ? 0o711 : 0o700);
  return { target: await reachExternal(options.databaseUrl), stop: async () => undefined };
}

export type FoundDatabase =
  | { readonly state: 'RUNNING'; readonly target: Target }
  | { readonly state: 'STOPPED' | 'MISSING' };

/** The database as it is: nothing is started or created. Fails when an external one cannot be reached. */
export async function findDatabase({
  databaseUrl,
  dataDir,
}: Pick<EngineOptions, 'databaseUrl' | 'dataDir'>): Promise<FoundDatabase> {
  if (databaseUrl !== null) return { state: 'RUNNING', target: await reachExternal(databaseUrl) };
  const running = await findRunning(dataDir);
  if (running) return { state: 'RUNNING', target: () => running };
  return { state: existsSync(join(dataDir, 'postgres')) ? 'STOPPED' : 'MISSING' };
}

/** Runs work on a database that may belong to a running server, or else is started for it. */
export async function withDatabase<T>(
  options: EngineOptions,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const running = options.databaseUrl === null ? await findRunning(options.dataDir) : null;
  return running ? await work(() => running) : await withOwnDatabase(options, work);
}

/** Runs work on a database that no server of the same data directory uses meanwhile. */
export async function withOwnDatabase<T>(
  options: EngineOptions,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const engine = await startEngine(options);
  try {
    return await work(engine.target);
  } finally {
    await engine.stop();
  }
}

export interface OpenStorage extends Storage {
  /** Listens for notifications that transactions of any server on the same database send by NOTIFY. */
  listen(listeners: readonly ChangeListener[]): Listening;
}

/** Connects to PostgreSQL, or starts one, and migrates its schema. */
export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const { log, clock, onProgress, migrationsDir = MIGRATIONS } = options;
  const engine = await startEngine(options);
  try {
    const { target } = engine;
    const encoding = await migrate({ target, directory: migrationsDir, clock, onProgress });
    if (encoding !== ENCODING) {
      log.warn({ encoding }, 'the database is not UTF8; fieldwatch doctor says what to do');
    }
  } catch (error) {
    await engine.stop();
    if (error instanceof StartFailure || !(error instanceof Error)) throw error;
    const setting = options.databaseUrl === null ? 'FIELDWATCH_DATA_DIR' : 'DATABASE_URL';
    throw new StartFailure(`${setting}: the database cannot be migrated: ${error.message}.`, {
      cause: error,
    });
  }
  const sizes = { ...LANE_SIZES, ...options.lanes };
  const availability = createAvailabilityLog(log, 'storage');
  const target = namedTarget(engine.target, options.sessionName);
  const isOwn = options.databaseUrl === null;
  // Messages and requests wait for its processes, which have the priority of this one.
  const common = { target, log, availability, niceness: isOwn ? getPriority() : undefined };
  const lane = (size: number) => createPool({ ...common, size });
  const requests = lane(sizes.requests);
  const ingest = lane(sizes.ingest);
  const background = createPool({
    ...common,
    size: sizes.background,
    niceness: isOwn ? BACKGROUND_NICENESS : undefined,
  });
  const nodes = lane(sizes.nodes);
  const lockSessions = new Set<SessionLocks>();
  let stopping: Promise<void> | undefined;
  return {
    ...requests,
    anonymous: anonymousShare(requests, sizes.requests),
    ingest,
    background,
    nodes,
    check: createWriteProbe(ingest),
    createWriteProbe: (also) => createWriteProbe(ingest, also),
    async openSessionLocks(onLost) {
      const session = await openSessionLocks(target, () => {
        lockSessions.delete(session);
        onLost();
      });
      lockSessions.add(session);
      return session;
    },
    listen: (listeners) => listenForChanges({ target, log }, listeners),
    stop() {
      const sessions = [...lockSessions].map((each) => each.end());
      const lanes = [requests, ingest, background, nodes].map((each) => each.stop());
      stopping ??= Promise.all([...sessions, ...lanes])
        .then(() => undefined)
        .finally(() => engine.stop());
      return stopping;
    },
  };
}
