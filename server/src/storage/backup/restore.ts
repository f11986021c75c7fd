import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Clock, StartFailure } from '../../runtime/index.ts';
import { migrate, pendingMigrations, readMigrations } from '../migrate.ts';
import { connectionDefaults, type Target } from '../pool.ts';
import type { Queries } from '../storage.ts';
import { listTables, type Sequence, type Table } from './catalogue.ts';
import { dropForeignKeys, restoreForeignKeys } from './foreign-keys.ts';
import { damaged, decodeFrames, type Frame, type FrameKind } from './frames.ts';
import { type Content, copyTarget, FORMAT, type Head } from './write.ts';

interface RestoreOptions {
  readonly target: Target;
  readonly file: string;
  readonly migrationsDir: URL;
  readonly clock: Clock;
  readonly onProgress: (text: string) => void;
  /** Called before anything is written, with the secret that belongs to the data. */
  readonly placeSecret: (secret: Buffer) => void;
  /** Called when all rows are there, in the transaction that brought them. */
  readonly onFilled?: (db: Queries) => Promise<void>;
}

export interface Restored extends Content {
  /** Rows that were removed, or lost a reference, since the backup lacks what they refer to. */
  readonly orphans: number;
}

/** The frames of a file, one after the other. */
interface Frames {
  next(): Promise<Frame>;
}

async function* read(file: string): AsyncGenerator<Frame> {
  const source = createReadStream(file);
  const plain = source.pipe(createGunzip());
  source.on('error', (error) => plain.destroy(error));
  try {
    yield* decodeFrames(plain);
  } catch (error) {
    if (error instanceof StartFailure || !(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') throw new StartFailure(`There is no ${file}.`);
    throw damaged(error.message);
  } finally {
    source.destroy();
  }
}

function framesIn(file: string): Frames {
  const frames = read(file);
  return {
    async next() {
      const { value, done } = await frames.next();
      if (done) throw damaged('it stops before its end');
      return value;
    },
  };
}

function contentOf<T>(frame: Frame, kind: FrameKind): T {
  if (frame.kind !== kind) throw damaged(`there is ${frame.kind} where ${kind} must be`);
  return JSON.parse(frame.bytes.toString());
}

async function readHead(frames: Frames, migrationsDir: URL): Promise<Head> {
  const head = contentOf<Head>(await frames.next(), 'head');
  if (head.format !== FORMAT) {
    throw new StartFailure(
      `The backup is of format ${head.format} and this build reads format ${FORMAT}: use the build that made it.`,
    );
  }
  pendingMigrations(readMigrations(migrationsDir), head.migrations);
  return head;
}

async function assertEmpty(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT FROM ${pg.escapeIdentifier(name)} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new StartFailure(
      `The database holds data already (in ${name}): restore to a new FIELDWATCH_DATA_DIR, or an empty DATABASE_URL.`,
    );
  }
}

/** The data of a part is taken back: the table was damaged when it was backed up. */
class Discarded extends Error {}

/** One part of a table. Answers its rows, or null when it was taken back, and the frame behind it. */
async function fillPart(
  client: pg.Client,
  head: Frame,
  frames: Frames,
): Promise<{ readonly rows: number | null; readonly next: Frame }> {
  const table = contentOf<Table>(head, 'table');
  const name = pg.escapeIdentifier(table.name);
  await client.query('SAVEPOINT part');
  // Triggers notified other servers of these rows when they were first written.
  await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  const copy = client.query(copyFrom(`COPY ${copyTarget(table)} FROM STDIN (FORMAT binary)`));
  let next = head;
  try {
    await pipeline(async function* () {
      for (next = await frames.next(); next.kind === 'data'; next = await frames.next()) {
        yield next.bytes;
      }
      if (next.kind === 'discard') throw new Discarded();
    }, copy);
  } catch (error) {
    if (!(error instanceof Discarded)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT part');
    return { rows: null, next: await frames.next() };
  }
  await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  return { rows: copy.rowCount, next };
}

interface Filled extends Content {
  readonly frame: Frame;
  /** Rows that referred to rows which the backup lacks. */
  readonly orphans: number;
}

async function fillTables(client: pg.Client, frames: Frames): Promise<Filled> {
  const tables = new Set<string>();
  let rows = 0;
  let foreignKeys: Awaited<ReturnType<typeof dropForeignKeys>> | undefined;
  let frame = await frames.next();
  while (frame.kind === 'table') {
    tables.add(contentOf<Table>(frame, 'table').name);
    const part = await fillPart(client, frame, frames);
    if (part.rows === null) foreignKeys ??= await dropForeignKeys(client);
    rows += part.rows ?? 0;
    frame = part.next;
  }
  const orphans = foreignKeys ? await restoreForeignKeys(client, foreignKeys) : 0;
  return { frame, tables: tables.size, rows, orphans };
}

/** All of it or nothing. */
async function fill(
  client: pg.Client,
  frames: Frames,
  onFilled: RestoreOptions['onFilled'],
): Promise<Restored> {
  await client.query('BEGIN');
  await assertEmpty(client, await listTables(client));
  const { frame, tables, rows, orphans } = await fillTables(client, frames);
  for (const { name, value } of contentOf<readonly Sequence[]>(frame, 'sequences')) {
    await client.query('SELECT setval($1::regclass, $2)', [pg.escapeIdentifier(name), value]);
  }
  const said = contentOf<Content>(await frames.next(), 'end');
  if (said.tables !== tables || said.rows !== rows) {
    throw damaged(`it speaks of ${said.rows} rows and has ${rows}`);
  }
  await onFilled?.({
    query: async <Row extends object>(sql: string, params: readonly unknown[] = []) =>
      (await client.query<Row>(sql, [...params])).rows,
  });
  await client.query('COMMIT');
  await client.query('ANALYZE');
  return { ...said, orphans };
}

/** Fills an empty database from a backup, at the version that the backup was made at. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { target, file, migrationsDir: directory, clock, onProgress } = options;
  const frames = framesIn(file);
  const head = await readHead(frames, directory);
  const upTo = head.migrations.length;
  if (head.secretKey !== null) options.placeSecret(Buffer.from(head.secretKey, 'base64url'));
  await migrate({ target, directory, clock, onProgress, upTo });
  onProgress(`Restoring what was backed up at ${head.createdDateTime}`);
  const client = new pg.Client({ ...connectionDefaults, ...target() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await fill(client, frames, options.onFilled);
  } finally {
    await client.end();
  }
}
