import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { reencrypt } from './index.ts';

const OLD = Buffer.from([1, 7]);
const UNREADABLE = Buffer.from([1, 9]);
const NEW = Buffer.from([2, 7]);

it('re-encrypts values of the first version, also more than one batch of them, and leaves the rest', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const storage = await openTestStorage({ databaseUrl: database.url });
  await storage.query(
    'create table secrets (organization_id uuid, id uuid primary key, value bytea)',
  );
  const insert = (count: number, value: Buffer | null) =>
    storage.query(
      'insert into secrets select gen_random_uuid(), gen_random_uuid(), $2 from generate_series(1, $1::int)',
      [count, value],
    );
  await insert(501, OLD);
  await insert(2, UNREADABLE);
  await insert(1, null);
  await insert(1, Buffer.alloc(0));
  await insert(1, NEW);
  const column = {
    table: 'secrets',
    column: 'value',
    rebind(_: object, value: Buffer) {
      if (value.equals(UNREADABLE)) throw new Error('another key');
      return NEW;
    },
  };
  expect(await reencrypt(storage, column)).toBe(2);
  expect(
    await storage.query(
      'select value, count(*) from secrets group by value order by value nulls last',
    ),
  ).toEqual([
    { value: Buffer.alloc(0), count: 1 },
    { value: UNREADABLE, count: 2 },
    { value: NEW, count: 502 },
    { value: null, count: 1 },
  ]);
  expect(await reencrypt(storage, column)).toBe(2);
});
