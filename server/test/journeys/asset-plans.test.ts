import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssets } from '../../src/assets/index.ts';
import { browserOf } from '../../src/http/browser.ts';
import type { Caller } from '../../src/http/index.ts';
import type { Storage } from '../../src/storage/index.ts';
import { type AssetCalls, assetCalls } from '../support/asset-calls.ts';

import { startServer, type TestServer } from '../support/server.ts';
import { openTestStorage } from '../support/storage.ts';

const MANY = 20_000;
/** In the name of the 17th alone. */
const ONE_NAME = '70EFDF2E';

type Filter = Parameters<ReturnType<typeof createAssets>['list']>[0]['query'];

let server: TestServer;
let calls: AssetCalls;
let client: pg.Client;
let location: string;

beforeAll(async () => {
  server = await startServer();
  calls = assetCalls(server);
  client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  location = await calls.newLocation();
  const variable = await calls.newVariable();
  await client.query(
    `insert into assets (organization_id, id, name, name_folded, description, classification_type,
       location_id, created_at, updated_at)
     select $1::uuid, gen_random_uuid(), name, name, repeat('x', 500),
       case when n % 100 = 0 then 'ELECTRICAL_ATS' else 'GENERIC' end,
       case when n % 100 = 1 then $2::uuid end,
       timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01'
     from generate_series(1, $3::integer) n, lateral (select 'asset ' || left(md5(n::text), 8)) as named (name)`,
    [server.organizationId, location, MANY],
  );
  await client.query(
    `insert into asset_variables (organization_id, asset_id, variable_id)
     select organization_id, id, $2 from assets where organization_id = $1`,
    [server.organizationId, variable.id],
  );
  await client.query('analyze');
});

afterAll(async () => {
  await client.end();
  await server.stop();
});

const CALLER: Caller = {
  kind: 'API_KEY',
  id: '',
  name: '',
  sessionId: null,
  permissionsIn: () => undefined,
};

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements that one list takes. */
async function statementsOf(filter: Partial<Filter>): Promise<Statement[]> {
  const storage = await openTestStorage({ databaseUrl: server.databaseUrl });
  const statements: Statement[] = [];
  const counting: Storage = {
    ...storage,
    query(text, values = []) {
      statements.push({ text, values });
      return storage.query(text, values);
    },
  };
  const { list } = createAssets({
    storage: counting,
    newId: () => '',
    onBound: () => undefined,
  });
  const { organizationId } = server;
  const query = { skip: 0, take: 25, ...filter };
  const { body } = await list(
    { params: { organizationId }, query, body: undefined },
    {
      requestId: '',
      format: 'json',
      userAgent: null,
      isClientGone: () => false,
      browser: browserOf({}),
      address: '',
      now: 0,
      caller: CALLER,
    },
  );
  expect(body.items).toHaveLength(Math.min(query.take, body.count));
  return statements;
}

/** Every node of a statement's plan, as `Index Scan on assets`. */
async function planOf({ text, values }: Statement): Promise<string[]> {
  const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
  const nodes: string[] = [];
  const visit = (node: Record<string, unknown>): void => {
    nodes.push(`${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name'] ?? '-'}`);
    for (const inner of (node.Plans as Record<string, unknown>[]) ?? []) visit(inner);
  };
  visit(rows[0]['QUERY PLAN'][0].Plan);
  return nodes;
}

describe('a list of Assets', () => {
  it.each([1, 25, 1000])('of %i takes two statements, whatever the page', async (take) => {
    expect(await statementsOf({ take })).toHaveLength(2);
  });

  it('that finds nothing asks for no Variables', async () => {
    expect(await statementsOf({ search: 'nothing like this' })).toHaveLength(1);
  });

  it.each<[string, (filter: { location: string }) => Partial<Filter>]>([
    ['search', () => ({ search: ONE_NAME })],
    ['types', () => ({ types: ['ELECTRICAL_ATS'] })],
    ['locationIds', (at) => ({ locationIds: [at.location] })],
    ['search and types', () => ({ search: ONE_NAME, types: ['GENERIC'] })],
    ['every filter', (at) => ({ search: 'a', types: ['GENERIC'], locationIds: [at.location] })],
  ])('of 20 000 by %s reads no table from end to end', async (_, filter) => {
    for (const statement of await statementsOf(filter({ location }))) {
      const nodes = await planOf(statement);
      const whole = nodes.filter((node) => /^Seq Scan on (assets|asset_variables)/.test(node));
      expect(whole, statement.text).toEqual([]);
    }
  });

  it('without a filter finds its page by an index', async () => {
    const [listed, bound] = await statementsOf({});
    const nodes = listed ? await planOf(listed) : [];
    // What counts may read the whole table; what stands under the limit is the page.
    const ofPage = nodes.slice(nodes.findIndex((node) => node.startsWith('Limit')));
    const ofBound = bound ? await planOf(bound) : ['none'];
    expect([...ofPage, ...ofBound].join()).not.toMatch(/Seq Scan on (assets|asset_variables)|none/);
    expect(ofPage[0]).toMatch(/^Limit/);
  });
});
