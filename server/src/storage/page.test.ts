import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { openTestStorage } from '../../test/support/storage.ts';
import { type List, page, type Queries, type Sql, sql } from './index.ts';

let url: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
});

const LIST = {
  columns: sql`id, name, created_at as "createdAt"`,
  from: sql`things`,
  where: sql`true`,
};

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
}

async function open(rows: number) {
  const storage = await openTestStorage({ databaseUrl: url });
  await storage.query('drop table if exists things');
  await storage.query(
    `create table things as select id, 'thing ' || id as name, timestamptz 'epoch' as created_at
     from generate_series(1, $1::int) id`,
    [rows],
  );
  return storage;
}

const idsOf = (rows: readonly Thing[]) => rows.map(({ id }) => id);

describe('a page of a list', () => {
  it('has a total and rows of one snapshot while another transaction writes', async () => {
    const storage = await open(3);
    /** Before each statement of the list one more row is committed. */
    const contended: Queries = {
      async query(text, params) {
        await storage.query(`insert into things select max(id) + 1, 'thing', now() from things`);
        return await storage.query(text, params);
      },
    };
    for (const search of [undefined, sql`name like ${'thing%'}`]) {
      const { count, rows } = await page<Thing>(
        contended,
        { ...LIST, search },
        { skip: 0, take: 1000 },
      );
      expect(rows).toHaveLength(count);
    }
  });

  it.each<[string, Sql | undefined]>([
    ['without a search', undefined],
    ['with a search', sql`name like ${'thing%'}`],
  ])('%s is in order, and past the end still has the total', async (_, search) => {
    const storage = await open(5);
    const take = async (skip: number, most: number, list: Partial<List> = {}) =>
      await page<Thing>(storage, { ...LIST, search, ...list }, { skip, take: most });
    expect((await take(0, 1000)).rows[0]).toEqual({ id: 5, name: 'thing 5', createdAt: 0 });
    expect(idsOf((await take(0, 1000)).rows)).toEqual([5, 4, 3, 2, 1]);
    expect(idsOf((await take(1, 2)).rows)).toEqual([4, 3]);
    expect(idsOf((await take(4, 2)).rows)).toEqual([1]);
    for (const skip of [5, 6]) expect(await take(skip, 2)).toEqual({ count: 5, rows: [] });
    const doubled = { ofPage: sql`page.id * 2 as double` };
    expect((await take(0, 1, doubled)).rows).toEqual([
      { id: 5, name: 'thing 5', createdAt: 0, double: 10 },
    ]);
    const none = { where: sql`false` };
    expect(await take(0, 2, none)).toEqual({ count: 0, rows: [] });
  });

  it('has the order that its list gives', async () => {
    const storage = await open(3);
    const { rows } = await page<Thing>(storage, { ...LIST, order: sql`id` }, { skip: 0, take: 2 });
    expect(idsOf(rows)).toEqual([1, 2]);
  });
});
