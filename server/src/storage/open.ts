import { type Clock, type Log, StartFailure } from '../runtime/index.ts';
import { findRunning, startEmbedded } from './embedded/index.ts';
import { reachExternal } from './external.ts';
import { migrate } from './migrate.ts';
import { type Listening, listenForNotices, type NoticeListener } from './notices.ts';
import { createPool, type Target } from './pool.ts';
import type { Storage } from './storage.ts';

export interface EngineOptions {
  /** Null for a private PostgreSQL of the server's own, in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Where `postgres` and `initdb` are, when not those of the npm packages. */
  readonly postgresBin: string | null;
  readonly log: Log;
  /** Told of what may take a while, in a few words. */
  readonly onProgress: (text: string) => void;
}

export interface StorageOptions extends EngineOptions {
  readonly clock: Clock;
  readonly migrationsDir?: URL;
  readonly poolSize?: number;
}

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const POOL_SIZE = 8;
const BACKGROUND_SIZE = 2;

interface Engine {
  readonly target: Target;
  stop(): Promise<void>;
}

async function startEngine(options: EngineOptions): Promise<Engine> {
  if (options.databaseUrl === null) return await startEmbedded(options);
  return { target: await reachExternal(options.databaseUrl), stop: async () => undefined };
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
  /** Hears what transactions of any server on the same database tell by NOTIFY. */
  listen(listener: NoticeListener): Listening;
}

/** Reaches PostgreSQL, or starts one, and brings its tables up to date. */
export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const { log, clock, onProgress, migrationsDir = MIGRATIONS, poolSize = POOL_SIZE } = options;
  const engine = await startEngine(options);
  try {
    await migrate({ target: engine.target, directory: migrationsDir, clock, onProgress });
  } catch (error) {
    await engine.stop();
    if (error instanceof StartFailure || !(error instanceof Error)) throw error;
    const setting = options.databaseUrl === null ? 'FIELDWATCH_DATA_DIR' : 'DATABASE_URL';
    throw new StartFailure(
      `${setting}: the database cannot be brought up to date: ${error.message}.`,
      { cause: error },
    );
  }
  const pool = createPool({ target: engine.target, size: poolSize, log });
  const background = createPool({
    target: engine.target,
    size: BACKGROUND_SIZE,
    log,
    isNice: options.databaseUrl === null,
  });
  let stopping: Promise<void> | undefined;
  return {
    ...pool,
    background,
    listen: (listener) => listenForNotices({ target: engine.target, log }, listener),
    stop() {
      stopping ??= Promise.all([background.stop(), pool.stop()])
        .then(() => undefined)
        .finally(() => engine.stop());
      return stopping;
    },
  };
}
