import type { Config } from '../../config.ts';
import { createIds, systemClock } from '../../runtime/index.ts';
import {
  type EngineOptions,
  findDatabase,
  hasSchema,
  inspectDatabase,
  openStorage,
  type Storage,
  type Target,
  withDatabase,
  withQueries,
} from '../../storage/index.ts';
import { CommandFailure, type Terminal } from '../command/index.ts';
import { engineOf, readSettings } from './settings.ts';

const ONE_CONNECTION = { ingest: 1, requests: 1, background: 1, nodes: 1 };

interface Opened {
  readonly storage: Storage;
  readonly clock: typeof systemClock;
  readonly newId: ReturnType<typeof createIds>;
}

interface Found {
  readonly target: Target;
  readonly config: Config;
  readonly engine: EngineOptions;
}

/** Runs work on the database of an installation, also while its server runs. None is created. */
export async function withExistingDatabase<T>(
  terminal: Terminal,
  work: (found: Found) => Promise<T>,
): Promise<T> {
  const config = readSettings(terminal);
  const engine = { ...engineOf(config, terminal), mayCreateCluster: false };
  if ((await findDatabase(config)).state === 'MISSING') throw noInstallation(config.dataDir);
  return await withDatabase(engine, async (target) => {
    const isThere = await withQueries(target, hasSchema);
    if (!isThere) throw noInstallation(config.databaseUrl ?? config.dataDir);
    return await work({ target, config, engine });
  });
}

/** Runs work on the storage of the installation. To migrate it is for a start of the server. */
export async function withInstallation<T>(
  terminal: Terminal,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  return await withExistingDatabase(terminal, async ({ target, config, engine }) => {
    const facts = await withQueries(target, (db) =>
      inspectDatabase(db, { clock: systemClock, secret: config }),
    );
    if (facts.migrationProblem !== null) throw new CommandFailure(facts.migrationProblem);
    if (facts.pendingMigrations > 0) {
      throw new CommandFailure(
        'The database belongs to an older version: start the server of this version first.',
      );
    }
    const storage = await openStorage({
      ...engine,
      startedTarget: target,
      clock: systemClock,
      lanes: ONE_CONNECTION,
    });
    try {
      return await work({ storage, clock: systemClock, newId: createIds(systemClock) });
    } finally {
      await storage.stop();
    }
  });
}

function noInstallation(place: string): CommandFailure {
  const shown = place.replace(/\/\/[^@/]*@/, '//');
  return new CommandFailure(
    `There is no installation in ${shown}: start the server once, or set FIELDWATCH_DATA_DIR or DATABASE_URL to that of the installation.`,
  );
}
