import { createWriteStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { StartFailure } from '../../runtime/index.ts';
import { type Applied, readApplied } from '../migrate.ts';
import { connectionDefaults, type Target } from '../pool.ts';
import { listSequences, listTables, type Table } from './catalogue.ts';
import { encodeFrame, type FrameKind } from './frames.ts';
import { copyOut, findReadable, isDamage, type Loss } from './salvage.ts';

export const FORMAT = 1;

/** What stands before the tables. */
export interface Head {
  readonly format: number;
  readonly createdDateTime: string;
  /** What the database was made by; a restore makes the same. */
  readonly migrations: readonly Applied[];
  /** The installation's secret in base64url; null where it is a setting. */
  readonly secretKey: string | null;
}

export interface Content {
  readonly tables: number;
  readonly rows: number;
  /** Damaged tables, of which rows are missing; absent in backups of older builds. */
  readonly losses?: readonly Loss[];
}

interface BackupOptions {
  readonly target: Target;
  readonly file: string;
  readonly createdDateTime: string;
  readonly secretKey: string | null;
}

function frame(kind: FrameKind, value: unknown): Buffer {
  return encodeFrame(kind, Buffer.from(JSON.stringify(value)));
}

/** The table and columns of a COPY. */
export function copyTarget({ name, columns }: Table): string {
  return `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
}

/** One part of a table; answers how many rows it has. */
async function* framesOfPart(
  client: pg.Client,
  table: Table,
  statement: string,
): AsyncGenerator<Buffer, number> {
  yield frame('table', table);
  const copy = client.query(copyTo(statement));
  for await (const chunk of copy) yield encodeFrame('data', chunk);
  return copy.rowCount;
}

/** A table, without the rows that cannot be read; what is missing is added to the losses. */
async function* framesOfTable(
  client: pg.Client,
  table: Table,
  losses: Loss[],
): AsyncGenerator<Buffer, number> {
  await client.query('SAVEPOINT whole_table');
  try {
    return yield* framesOfPart(client, table, copyOut(table));
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  await client.query('ROLLBACK TO SAVEPOINT whole_table');
  yield frame('discard', {});
  const { parts, loss } = await findReadable(client, table);
  losses.push(loss);
  let rows = 0;
  for (const part of parts) rows += yield* framesOfPart(client, table, copyOut(table, part));
  return rows;
}

/** All frames, from one moment of the database, however long the writing takes. */
async function* framesOf(
  client: pg.Client,
  head: Omit<Head, 'format' | 'migrations'>,
  onEnd: (content: Content) => void,
): AsyncGenerator<Buffer> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  yield frame('head', { format: FORMAT, ...head, migrations: await readApplied(client) });
  const tables = await listTables(client);
  const losses: Loss[] = [];
  let rows = 0;
  for (const table of tables) {
    rows += yield* framesOfTable(client, table, losses);
  }
  // Read last: a sequence is not part of the moment, and must not be behind a row.
  yield frame('sequences', await listSequences(client));
  const content = { tables: tables.length, rows, losses };
  yield frame('end', content);
  await client.query('COMMIT');
  onEnd(content);
}

/** For its owner's eyes alone, under its name only when complete, and never over another file. */
async function writeWhole(file: string, frames: AsyncIterable<Buffer>): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(frames, createGzip(), createWriteStream(part, { mode: 0o600, flags: 'wx' }));
    const handle = await open(part, 'r+');
    await handle.sync().finally(() => handle.close());
    await link(part, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EEXIST') {
      throw new StartFailure(`${file} (or ${part}) exists already; choose another name.`);
    }
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOSPC') {
      throw new StartFailure(`${file} cannot be written: ${(error as Error).message}.`);
    }
    throw error;
  }
}

/** Writes the whole database to a file while servers go on working with it. */
export async function writeBackup(options: BackupOptions): Promise<Content> {
  const { target, file, createdDateTime, secretKey } = options;
  const client = new pg.Client({ ...connectionDefaults, ...target() });
  client.on('error', () => undefined);
  await client.connect();
  let content: Content = { tables: 0, rows: 0 };
  try {
    const frames = framesOf(client, { createdDateTime, secretKey }, (whole) => {
      content = whole;
    });
    await writeWhole(file, frames);
    return content;
  } finally {
    await rm(`${file}.part`, { force: true });
    await client.end();
  }
}
