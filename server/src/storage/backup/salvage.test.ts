import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { rowsIn } from '../../../test/support/database.ts';
import { temporaryDirectory, temporaryMigrations } from '../../../test/support/storage.ts';
import { systemClock } from '../../runtime/index.ts';
import { migrate } from '../migrate.ts';
import { restoreBackup, writeBackup } from './index.ts';

const PAGE_BYTES = 8192;

const MIGRATION = `
  create table parents (id integer primary key, text text not null);
  alter table parents alter column text set storage external;
  create table children (
    id integer primary key,
    parent_id integer not null references parents on delete cascade,
    friend_id integer references parents on delete set null
  );
  create table grandchildren (child_id integer primary key references children);`;

const FILL = `
  insert into parents select n, repeat('x', 100) from generate_series(1, 1000) n;
  update parents set text = repeat('y', 20000) where id = 1000;
  insert into children select n, n, 1001 - n from generate_series(1, 1000) n;
  insert into grandchildren select n from generate_series(1, 1000) n;`;

async function makeDatabase(): Promise<{ name: string; url: string }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await rowsIn(inject('postgresUrl'), `create database ${name}`);
  return registered(name);
}

function registered(name: string): { name: string; url: string } {
  onTestFinished(async () => {
    await rowsIn(inject('postgresUrl'), `drop database ${name} with (force)`);
  });
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

async function overwrite(file: string, page: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(randomBytes(PAGE_BYTES), 0, PAGE_BYTES, page * PAGE_BYTES);
  await handle.close();
}

/** A database of which one page of a table and one page of long values cannot be read. */
async function makeDamaged(migrationsDir: URL): Promise<string> {
  const { name, url } = await makeDatabase();
  await migrate({
    target: () => ({ connectionString: url }),
    directory: migrationsDir,
    clock: systemClock,
    onProgress: () => undefined,
  });
  await rowsIn(url, FILL);
  // So that nothing changes the pages in memory, and has them written over the damage.
  await rowsIn(url, 'vacuum freeze');
  await rowsIn(url, 'checkpoint');
  const [files] = await rowsIn<{ directory: string; heap: string; toast: string }>(
    url,
    `select current_setting('data_directory') as directory,
       pg_relation_filepath('parents') as heap, pg_relation_filepath(reltoastrelid) as toast
     from pg_class where relname = 'parents'`,
  );
  await overwrite(join(files?.directory ?? '', files?.heap ?? ''), 2);
  await overwrite(join(files?.directory ?? '', files?.toast ?? ''), 0);
  // The pages of the first are in memory; those of a copy by file are not.
  const copy = `test_${randomBytes(8).toString('hex')}`;
  await rowsIn(
    inject('postgresUrl'),
    `create database ${copy} template ${name} strategy file_copy`,
  );
  return registered(copy).url;
}

describe('a backup of a damaged database', () => {
  it('leaves out what cannot be read, names it, and is restored without dangling references', async () => {
    const migrationsDir = await temporaryMigrations({ '0001-tables.sql': MIGRATION });
    const url = await makeDamaged(migrationsDir);
    await expect(rowsIn(url, 'select text from parents')).rejects.toBeInstanceOf(pg.DatabaseError);
    const file = join(await temporaryDirectory(), 'damaged.backup');
    const written = await writeBackup({
      target: () => ({ connectionString: url }),
      file,
      createdDateTime: '2026-01-01T00:00:00.000Z',
      secretKey: null,
    });
    expect(written.tables).toBe(3);
    expect(written.losses).toEqual([
      { table: 'parents', pages: [2], rows: [expect.stringMatching(/^\(\d+,\d+\)$/)] },
    ]);

    const empty = await makeDatabase();
    const restored = await restoreBackup({
      target: () => ({ connectionString: empty.url }),
      file,
      migrationsDir,
      clock: systemClock,
      onProgress: () => undefined,
      placeSecret: () => undefined,
    });
    expect(restored).toMatchObject(written);
    const [counts] = await rowsIn<Record<string, number>>(
      empty.url,
      `select (select count(*)::int from parents) as parents,
         (select count(*)::int from children) as children,
         (select count(*)::int from grandchildren) as grandchildren,
         (select count(*)::int from children where friend_id is null) as friendless,
         (select count(*)::int from pg_constraint
          where contype = 'f' and conrelid::regclass::text in ('children', 'grandchildren')) as keys`,
    );
    const lost = 1000 - (counts?.parents ?? 0);
    expect(lost).toBeGreaterThan(2);
    expect(lost).toBeLessThan(150);
    expect(counts).toMatchObject({
      children: 1000 - lost,
      grandchildren: 1000 - lost,
      friendless: lost,
      keys: 3,
    });
    expect(restored.rows).toBe(2000 + (counts?.parents ?? 0));
    expect(restored.orphans).toBeGreaterThanOrEqual(2 * lost);
    await rm(file);
  });
});
