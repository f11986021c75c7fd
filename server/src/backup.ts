import { resolve } from 'node:path';
import { type Config, readConfig } from './config.ts';
import {
  createLog,
  isoDateTime,
  loadSecret,
  placeSecret,
  StartFailure,
  systemClock,
} from './runtime/index.ts';
import {
  type Content,
  type EngineOptions,
  MIGRATIONS,
  restoreBackup,
  withDatabase,
  withOwnDatabase,
  writeBackup,
} from './storage/index.ts';

interface Command {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

type Work = (config: Config, engine: EngineOptions, args: readonly string[]) => Promise<string>;

const inWords = ({ tables, rows }: Content) => `${rows} rows of ${tables} tables`;

/** `npm run backup`: the whole installation in one file, also while its server runs. */
const backUpTo: Work = async (config, engine, [name]) => {
  const createdDateTime = isoDateTime(systemClock.now());
  const file = resolve(name ?? `fieldwatch-${createdDateTime.replaceAll(/[:.]/g, '-')}.backup`);
  const secretKey =
    config.secretKey === null ? loadSecret(null, config.dataDir).toString('base64url') : null;
  const content = await withDatabase(engine, (target) =>
    writeBackup({ target, file, createdDateTime, secretKey }),
  );
  return `Backed up ${inWords(content)} to ${file}. Keep it as safe as the database itself.`;
};

/** `npm run restore`: fills a new installation from such a file. */
const restoreFrom: Work = async (config, engine, [name]) => {
  if (name === undefined) throw new StartFailure('Name the backup: npm run restore -- <file>.');
  const content = await withOwnDatabase(engine, (target) =>
    restoreBackup({
      target,
      file: resolve(name),
      migrationsDir: MIGRATIONS,
      clock: systemClock,
      onProgress: engine.onProgress,
      placeSecret: (secret) => {
        if (config.secretKey === null) placeSecret(config.dataDir, secret);
      },
    }),
  );
  return `Restored ${inWords(content)}. Start the server with npm start.`;
};

/** Answers the exit code. */
async function run(work: Work, { environment, args, say, complain }: Command): Promise<number> {
  const read = readConfig(environment);
  if ('problems' in read) {
    for (const problem of read.problems) complain(problem);
    return 1;
  }
  const { config } = read;
  try {
    const log = createLog(config.logLevel);
    say(await work(config, { ...config, log, onProgress: say }, args));
    return 0;
  } catch (error) {
    complain(error instanceof StartFailure ? error.message : `It failed: ${error}`);
    return 1;
  }
}

export const backUp = (command: Command): Promise<number> => run(backUpTo, command);
export const restore = (command: Command): Promise<number> => run(restoreFrom, command);
