import { operations } from '@fieldwatch/contract';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../../src/dashboards/dashboard.ts';
import { type DashboardFilter, listDashboards } from '../../src/dashboards/store.ts';
import type { Queries } from '../../src/storage/index.ts';
import { type DashboardCalls, dashboardCalls } from '../support/dashboards.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const RECORDS = 150;
const RUNS = cases(500);
const SEED = 20_261_115;

interface Made {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly isArchived: boolean;
}

interface Asked {
  readonly byKey: boolean;
  readonly search: string | undefined;
  readonly archivedScope: 'active' | 'archived' | 'all' | undefined;
  readonly skip: number | undefined;
  readonly take: number | undefined;
}

let server: TestServer;
let neighbour: TestServer;
let calls: DashboardCalls;
/** Newest first. */
let stored: Made[] = [];

const piece = fc.constantFrom('%', '_', '\\', "'", '"', 'a', 'A', 'ß', 'İ', 'É', '😀', ' ', 'ab');
const text = (constraints: { minLength: number; maxLength: number }) =>
  fc.array(piece, constraints).map((pieces) => pieces.join(''));
const name = text({ minLength: 1, maxLength: 6 }).filter((each) => each.trim() !== '');

beforeAll(async () => {
  server = await startServer();
  neighbour = await startNeighbour(server);
  calls = dashboardCalls(server);
  await dashboardCalls(neighbour).made({ name: 'a', isPublic: true });
  const plans = fc.sample(fc.record({ name, isPublic: fc.boolean(), isArchived: fc.boolean() }), {
    numRuns: RECORDS,
    seed: SEED,
  });
  for (const { name, isPublic, isArchived } of plans) {
    const { id } = await calls.made({ name, isPublic });
    if (isArchived) await calls.on(operations.archiveDashboard, id);
    stored = [{ id, name, isPublic, isArchived }, ...stored];
  }
});

afterAll(async () => {
  await neighbour.stop();
  await server.stop();
});

/** What the list should be, found the plain way. */
function expected({ byKey, search = '', archivedScope = 'active', skip = 0, take = 25 }: Asked) {
  const folded = (value: string) => value.normalize('NFC').toLowerCase();
  const matching = stored.filter(
    (each) =>
      (!byKey || each.isPublic) &&
      (archivedScope === 'all' || each.isArchived === (archivedScope === 'archived')) &&
      folded(each.name).includes(folded(search)),
  );
  const page = matching.slice(skip, skip + take);
  return { count: matching.length, names: page.map(({ id, name }) => `${id} ${name}`) };
}

async function answered({ byKey, ...query }: Asked) {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  const { body } = await server.call(operations.listDashboards, {
    auth: byKey ? server.key : server.administrator,
    query: given.join('&'),
  });
  const items: Made[] = body.items;
  return { count: body.count, names: items.map(({ id, name }) => `${id} ${name}`) };
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const asked: fc.Arbitrary<Asked> = fc.record({
  byKey: fc.boolean(),
  search: maybe(text({ minLength: 0, maxLength: 3 })),
  archivedScope: maybe(fc.constantFrom('active' as const, 'archived' as const, 'all' as const)),
  skip: maybe(fc.constantFrom(0, 1, 10, 149, 150, 1_000)),
  take: maybe(fc.constantFrom(1, 7, 25, 1_000)),
});

describe('the list of Dashboards', () => {
  it('is what a plain search over all of them finds, whatever is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (each) => {
        expect(await answered(each)).toEqual(expected(each));
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  const none = {
    byKey: false,
    search: undefined,
    archivedScope: undefined,
    skip: undefined,
    take: undefined,
  };

  it.each(['%', '_', '\\', "'", '"', '%%', '\\%', '_a', "';--", 'ä'])(
    'takes %s in a search literally',
    async (search) => {
      const each = { ...none, search, archivedScope: 'all', take: 1_000 } as const;
      expect(await answered(each)).toEqual(expected(each));
    },
  );

  it.each([499, 500, 501])('takes a search of %i characters as it should', async (length) => {
    const search = `${'%'.repeat(length - 1)}😀`;
    const { status, body } = await server.call(operations.listDashboards, {
      query: `search=${encodeURIComponent(search)}`,
    });
    if (length > 500) expect([status, body.errors[0].path]).toEqual([400, 'search']);
    else expect(body).toEqual({ count: 0, items: [] });
  });

  it.each([
    ['archivedScope=gone', 'archivedScope must be one of active, archived, all'],
    ['isPublic=true', 'isPublic '],
    ['take=1001', 'take must be at most 1000'],
  ])('refuses %s by name', async (query, message) => {
    const { status, body } = await server.call(operations.listDashboards, { query });
    expect(status).toBe(400);
    expect(`${body.errors[0].path} ${body.errors[0].message}`).toContain(message);
  });

  it('finds its page by an index, whatever is asked for, among 20 000', async () => {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into dashboards (organization_id, id, name, name_folded, is_public,
           refresh_interval_seconds, configuration, archived_at, created_at, updated_at)
         select $1, gen_random_uuid(), md5(n::text), md5(n::text), n % 50 = 0, 30, '{}',
           case when n % 50 = 1 then now() end, now() - n * interval '1 second', now()
         from generate_series(1, 20000) n`,
        [server.organizationId],
      );
      await client.query("select gin_clean_pending_list('dashboards_by_name')");
      await client.query('analyze dashboards');
      const plans = async (view: View, filter: Partial<DashboardFilter>) => {
        const lines: string[] = [];
        const explaining: Queries = {
          async query(text, params = []) {
            const { rows } = await client.query(`explain ${text}`, [...params]);
            lines.push(...rows.map((row) => row['QUERY PLAN']));
            return [];
          },
        };
        const whole = { search: '', archivedScope: 'active', ...filter } as const;
        await listDashboards(explaining, server.organizationId, view, whole, { skip: 0, take: 25 });
        return lines.join('\n');
      };
      expect(await plans('draft', {})).toContain('using dashboards_newest');
      expect(await plans('published', {})).toContain('using dashboards_public');
      expect(await plans('draft', { archivedScope: 'archived' })).toContain('dashboards_archived');
      const searched = await plans('draft', { search: 'ABCDEF' });
      expect(searched.match(/on dashboards_by_name/g)).toHaveLength(1);
    } finally {
      await client.end();
    }
  });
});
