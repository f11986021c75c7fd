import {
  createKeyring,
  createSecret,
  keepSecret,
  readNewSecret,
  readSecret,
  StartFailure,
} from '../runtime/index.ts';
import { run, sql } from './sql.ts';
import type { Queries } from './storage.ts';

export interface SecretOptions {
  /** The setting; null for the key file. */
  readonly secretKey: string | null;
  readonly dataDir: string;
  /** The operator wants an empty installation, though there is a key. */
  readonly isNew: boolean;
}

/** What the database knows of the installation's key. */
export type RecordedKey =
  /** No server has started on this database. */
  | { readonly kind: 'none' }
  /** The database is older than check values. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'known'; readonly check: Buffer };

/** The one or the other text, for the sentences of the operator. */
const keyName = ({ secretKey, dataDir }: SecretOptions) =>
  secretKey === null ? `secret.key in FIELDWATCH_DATA_DIR (${dataDir})` : 'FIELDWATCH_SECRET_KEY';

/** Why not to start with this key on this database; null when they fit. */
function refusalOf(
  recorded: RecordedKey,
  check: Buffer | null,
  options: SecretOptions,
): string | null {
  const { secretKey, isNew } = options;
  if (recorded.kind === 'none') {
    if (check === null || secretKey !== null || isNew) return null;
    return `${keyName(options)} belongs to an installation, and the database is empty: restore the database, or start a new one with npm start -- --new.`;
  }
  if (check === null) {
    return `${keyName(options)} is missing, and the database was made with it: restore it from a backup, or set FIELDWATCH_SECRET_KEY to the key that the database was made with.`;
  }
  if (recorded.kind === 'unknown' || recorded.check.equals(check)) return null;
  return `${keyName(options)} is not the key that the database was made with: restore that key from a backup, or use the database that belongs to this one.`;
}

async function findRecordedKey(db: Queries): Promise<RecordedKey> {
  const [row] = await run<{ check: Buffer | null }>(
    db,
    sql`select key_check as check from installation`,
  );
  if (!row) return { kind: 'none' };
  return row.check === null ? { kind: 'unknown' } : { kind: 'known', check: row.check };
}

/** The first to record a check value wins; the others compare with it. */
async function recordKey(db: Queries, check: Buffer): Promise<void> {
  await run(
    db,
    sql`insert into installation (key_check) values (${check})
        on conflict (only_row) do update set key_check = excluded.key_check
        where installation.key_check is null`,
  );
}

const checkOf = (secret: Buffer) => createKeyring(secret).derive('key-check');

/** Why a server would not start with its key on this database; null when they fit. Changes nothing. */
export async function secretRefusal(
  db: Queries,
  { isEmpty, ...options }: SecretOptions & { readonly isEmpty: boolean },
): Promise<string | null> {
  const { secretKey, dataDir } = options;
  const secret = readSecret(secretKey, dataDir) ?? readNewSecret(dataDir);
  const recorded: RecordedKey = isEmpty ? { kind: 'none' } : await findRecordedKey(db);
  return refusalOf(recorded, secret && checkOf(secret), options);
}

/** The installation's secret, proved to be that of this database; made by the first start. */
export async function claimSecret(db: Queries, options: SecretOptions): Promise<Buffer> {
  const { secretKey, dataDir } = options;
  const kept = readSecret(secretKey, dataDir);
  const recorded = await findRecordedKey(db);
  const isFirst = kept === null && recorded.kind === 'none';
  const secret = kept ?? (isFirst ? createSecret(dataDir) : readNewSecret(dataDir));
  const check = secret === null ? null : checkOf(secret);
  const refusal = isFirst ? null : refusalOf(recorded, check, options);
  if (refusal !== null || secret === null || check === null) {
    throw new StartFailure(refusal ?? 'There is no secret key.');
  }
  await recordKey(db, check);
  // Of two servers that start at once with different keys, one finds the other's check value.
  const late = refusalOf(await findRecordedKey(db), check, options);
  if (late !== null) throw new StartFailure(late);
  if (kept === null) keepSecret(dataDir);
  return secret;
}
