import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Clock, StartFailure } from '../../runtime/index.ts';
import { migrate, pendingMigrations, readMigrations } from '../migrate.ts';
import { connectionDefaults, type Target } from '../pool.ts';
import { listTables, type Sequence, type Table } from './catalogue.ts';
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
  pendingMigrations(await readMigrations(migrationsDir), head.migrations);
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

async function fillTables(client: pg.Client, frames: Frames): Promise<{ frame: Frame } & Content> {
  let [tables, rows] = [0, 0];
  let frame = await frames.next();
  while (frame.kind === 'table') {
    const table = contentOf<Table>(frame, 'table');
    // What is restored was told to everyone when it happened.
    const name = pg.escapeIdentifier(table.name);
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    const copy = client.query(copyFrom(`COPY ${copyTarget(table)} FROM STDIN (FORMAT binary)`));
    await pipeline(async function* () {
      for (frame = await frames.next(); frame.kind === 'data'; frame = await frames.next()) {
        yield frame.bytes;
      }
    }, copy);
    await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    tables += 1;
    rows += copy.rowCount;
  }
  return { frame, tables, rows };
}

/** All of it or nothing. */
async function fill(client: pg.Client, frames: Frames): Promise<Content> {
  await client.query('BEGIN');
  await assertEmpty(client, await listTables(client));
  const { frame, tables, rows } = await fillTables(client, frames);
  for (const { name, value } of contentOf<readonly Sequence[]>(frame, 'sequences')) {
    await client.query('SELECT setval($1::regclass, $2)', [pg.escapeIdentifier(name), value]);
  }
  const said = contentOf<Content>(await frames.next(), 'end');
  if (said.tables !== tables || said.rows !== rows) {
    throw damaged(`it speaks of ${said.rows} rows and has ${rows}`);
  }
  await client.query('COMMIT');
  await client.query('ANALYZE');
  return said;
}

/** Fills an empty database from a backup, at the version that the backup was made at. */
export async function restoreBackup(options: RestoreOptions): Promise<Content> {
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
    return await fill(client, frames);
  } finally {
    await client.end();
  }
}
