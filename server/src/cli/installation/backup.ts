import { resolve } from 'node:path';
import { type RestoredAccess, revokeRestoredAccess } from '../../access/index.ts';
import { deleteAllNodes } from '../../nodes/index.ts';
import { isoDateTime, placeSecret, readSecret, systemClock } from '../../runtime/index.ts';
import {
  type Content,
  type Loss,
  MIGRATIONS,
  restoreBackup,
  withOwnDatabase,
  writeBackup,
} from '../../storage/index.ts';
import { type Command, EXIT, type Terminal } from '../command/index.ts';
import { recordBackup } from './last-backup.ts';
import { withExistingDatabase } from './open.ts';
import { engineOf, readSettings } from './settings.ts';

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

/** Prints what was done; what is missing goes to standard error and decides the exit code. */
function report(
  terminal: Terminal,
  result: object,
  { lines, missing }: { readonly lines: readonly string[]; readonly missing: readonly string[] },
): number {
  terminal.answer({ ...result, missing }, lines);
  for (const line of missing) terminal.printError(line);
  return missing.length > 0 ? EXIT.INCOMPLETE : EXIT.OK;
}

/** The whole installation in one file, also while its server runs. */
export const backUp: Command['run'] = async ({ args: [name] }, terminal) => {
  const config = readSettings(terminal);
  const createdDateTime = isoDateTime(systemClock.now());
  const file = resolve(name ?? `fieldwatch-${createdDateTime.replaceAll(/[:.]/g, '-')}.backup`);
  const isSetting = config.secretKey !== null;
  const secret = isSetting ? null : readSecret(null, config.dataDir);
  terminal.progress.step('Backing up …');
  const content = await withExistingDatabase(terminal, ({ target }) =>
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
  const { tables, rows } = content;
  recordBackup(config.dataDir, { file, createdDateTime, rows });
  const line = `Backed up ${describeContent(content)} to ${file}. Protect it like the database itself.`;
  return report(terminal, { file, createdDateTime, tables, rows }, { lines: [line], missing });
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

/** Fills a new installation from such a file. */
export const restore: Command['run'] = async (input, terminal) => {
  const config = readSettings(terminal);
  const engine = engineOf(config, terminal);
  const revokesKeys = input.has('--revoke-keys');
  let access: RestoredAccess = { endedSessions: 0, keys: [] };
  const content = await withOwnDatabase(engine, (target) =>
    restoreBackup({
      target,
      file: resolve(input.args[0] ?? ''),
      migrationsDir: MIGRATIONS,
      clock: systemClock,
      onProgress: engine.onProgress,
      placeSecret: (secret) => {
        if (config.secretKey === null) placeSecret(config.dataDir, secret);
      },
      async onFilled(db) {
        access = await revokeRestoredAccess(db, { revokesKeys });
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
  const { tables, rows } = content;
  const { endedSessions, keys } = access;
  const apiKeyIds = keys.map(({ id }) => id);
  const result = revokesKeys ? { revokedApiKeyIds: apiKeyIds } : { validApiKeyIds: apiKeyIds };
  const lines = [
    `Restored ${describeContent(content)}. Start the server with fieldwatch, or npm start in a checkout.`,
    ...describeAccess(access, revokesKeys),
  ];
  return report(terminal, { tables, rows, endedSessions, ...result }, { lines, missing });
};
