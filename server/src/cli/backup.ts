import { resolve } from 'node:path';
import { type RestoredAccess, settleRestoredAccess } from '../access/index.ts';
import { type Config, readConfig } from '../config.ts';
import { deleteAllNodes } from '../nodes/index.ts';
import {
  createLog,
  isoDateTime,
  placeSecret,
  readSecret,
  StartFailure,
  systemClock,
} from '../runtime/index.ts';
import {
  type Content,
  type EngineOptions,
  type Loss,
  MIGRATIONS,
  restoreBackup,
  withDatabase,
  withOwnDatabase,
  writeBackup,
} from '../storage/index.ts';

interface Command {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/** The result of a command, and what is missing from it. */
interface Outcome {
  readonly messages: readonly string[];
  readonly missing: readonly string[];
}

type Work = (config: Config, engine: EngineOptions, args: readonly string[]) => Promise<Outcome>;

const FAILED = 1;
/** The command completed in part: standard error names what is missing. */
const INCOMPLETE = 3;
const MAX_NAMED = 20;

const describeContent = ({ tables, rows }: Content) => `${rows} rows of ${tables} tables`;

function named(list: readonly (string | number)[]): string {
  const rest = list.length - MAX_NAMED;
  return `${list.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describeLoss({ table, pages, rows }: Loss): string {
  const parts = [
    pages.length > 0 ? `all rows of its pages ${named(pages)}` : '',
    rows.length > 0 ? `the rows at ${named(rows)}` : '',
  ].filter((part) => part !== '');
  return `The table ${table} is damaged; missing are ${parts.join(', and ') || 'no rows'}.`;
}

/** `npm run backup`: the whole installation in one file, also while its server runs. */
const backUpTo: Work = async (config, engine, [name]) => {
  const createdDateTime = isoDateTime(systemClock.now());
  const file = resolve(name ?? `fieldwatch-${createdDateTime.replaceAll(/[:.]/g, '-')}.backup`);
  const isSetting = config.secretKey !== null;
  const secret = isSetting ? null : readSecret(null, config.dataDir);
  const content = await withDatabase(engine, (target) =>
    writeBackup({
      target,
      file,
      createdDateTime,
      secretKey: secret?.toString('base64url') ?? null,
    }),
  );
  const missing = (content.losses ?? []).map(describeLoss);
  if (secret === null && !isSetting) {
    missing.push(`The secret key is missing: there is no secret.key in ${config.dataDir}.`);
  }
  return {
    messages: [
      `Backed up ${describeContent(content)} to ${file}. Protect it like the database itself.`,
    ],
    missing,
  };
};

function describeAccess({ endedSessions, keys }: RestoredAccess, revokesKeys: boolean): string[] {
  const sessions = `Ended ${endedSessions} sessions; users have to sign in again.`;
  if (keys.length === 0) return [sessions];
  if (revokesKeys) return [sessions, `Revoked ${keys.length} API keys.`];
  return [
    sessions,
    `These ${keys.length} API keys are valid again, also if they were revoked after the backup was made. Revoke those that must not be, or restore with --revoke-keys to revoke all:`,
    ...keys.map(
      ({ id, name, organizationId, lastUsedAt }) =>
        `  ${JSON.stringify(id)} ${JSON.stringify(name)} of ${organizationId}, last used ${lastUsedAt === null ? 'never' : isoDateTime(lastUsedAt)}`,
    ),
  ];
}

const REVOKE_KEYS = '--revoke-keys';

/** `npm run restore`: fills a new installation from such a file. */
const restoreFrom: Work = async (config, engine, args) => {
  const revokesKeys = args.includes(REVOKE_KEYS);
  const [name] = args.filter((arg) => arg !== REVOKE_KEYS);
  if (name === undefined) throw new StartFailure('Name the backup: npm run restore -- <file>.');
  let access: RestoredAccess = { endedSessions: 0, keys: [] };
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
      async onFilled(db) {
        access = await settleRestoredAccess(db, { revokesKeys });
        await deleteAllNodes(db);
      },
    }),
  );
  const missing = (content.losses ?? []).map(describeLoss);
  if (content.orphans > 0) {
    missing.push(
      `${content.orphans} rows that referred to missing ones were removed, or lost the reference.`,
    );
  }
  return {
    messages: [
      `Restored ${describeContent(content)}. Start the server with npm start.`,
      ...describeAccess(access, revokesKeys),
    ],
    missing,
  };
};

/** Resolves with the exit code. */
async function run(work: Work, { environment, args, print, printError }: Command): Promise<number> {
  const read = readConfig(environment);
  if ('problems' in read) {
    for (const problem of read.problems) printError(problem);
    return FAILED;
  }
  const { config } = read;
  try {
    const log = createLog(config.logLevel);
    const { messages, missing } = await work(config, { ...config, log, onProgress: print }, args);
    for (const line of messages) print(line);
    for (const line of missing) printError(line);
    return missing.length > 0 ? INCOMPLETE : 0;
  } catch (error) {
    printError(error instanceof StartFailure ? error.message : `The command failed: ${error}`);
    return FAILED;
  }
}

export const backUp = (command: Command): Promise<number> => run(backUpTo, command);
export const restore = (command: Command): Promise<number> => run(restoreFrom, command);
