import { createIds, systemClock } from '../../runtime/index.ts';
import {
  findDatabase,
  inspectDatabase,
  openStorage,
  type Storage,
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

/**
 * Runs work on the storage of the installation, also while its server runs. An installation is
 * neither created nor migrated: that is for a start of the server.
 */
export async function withInstallation<T>(
  terminal: Terminal,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const config = readSettings(terminal);
  const engine = { ...engineOf(config, terminal), mayCreateCluster: false };
  if ((await findDatabase(config)).state === 'MISSING') throw noInstallation(config.dataDir);
  return await withDatabase(engine, async (target) => {
    const facts = await withQueries(target, (db) =>
      inspectDatabase(db, { clock: systemClock, secret: config }),
    );
    if (facts.migrationProblem !== null) throw new CommandFailure(facts.migrationProblem);
    if (facts.migration === null) throw noInstallation(config.databaseUrl ?? config.dataDir);
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
