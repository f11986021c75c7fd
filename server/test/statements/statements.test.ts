import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { Comparison } from './compare.ts';
import { openSchema, type Schema } from './describe.ts';
import { openProgram, type Program } from './program.ts';
import { evaluateSite, type Site, sitesOf } from './sites.ts';
import { UNSTATED, unstatedOf } from './unstated.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WRONG = fileURLToPath(new URL('wrong.ts', import.meta.url));

const WRONG_LINES = readFileSync(WRONG, 'utf8').split('\n');

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let schema: Schema;
let program: Program;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  schema = await openSchema(client);
  program = openProgram(ROOT, [WRONG]);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Where in the statement PostgreSQL found the error. */
function placeOf({ position }: pg.DatabaseError, text: string): string {
  if (position === undefined) return '';
  const rest = text.slice(Number(position) - 1).replaceAll(/\s+/g, ' ');
  return `, at: ${rest.slice(0, 30).trim()}`;
}

/** Prepares every alternative of the statements, and compares it with what the code declares. */
async function check(sites: readonly Site[]) {
  const comparison = new Comparison(program.checker);
  const problems = new Set<string>();
  const templates = new Set<unknown>();
  let alternativeCount = 0;
  for (const site of sites) {
    const evaluated = evaluateSite(program, site);
    for (const each of evaluated.templates) templates.add(each);
    for (const each of evaluated.failures) problems.add(each);
    for (const each of evaluated.alternatives) {
      alternativeCount += 1;
      const differences = await schema.describe(each.text).then(
        (described) => comparison.differences(each, described),
        (error: pg.DatabaseError) => [`${error.message}${placeOf(error, each.text)}`],
      );
      for (const difference of differences) problems.add(`${each.where}: ${difference}`);
    }
  }
  return { problems: [...problems], templates, alternativeCount };
}

const sources = readdirSync(join(ROOT, 'server/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(ROOT, 'server/src', name), 'utf8'));

const countInText = (pattern: RegExp) =>
  sources.reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0);

describe('the statements of the server', () => {
  it('have the parameters and columns of the migrated schema, each with its types', async () => {
    const sites = sitesOf(program, program.files).filter((site) => !unstatedOf(site));
    const { problems, templates, alternativeCount } = await check(sites);
    expect(problems).toEqual([]);
    const all = program.templatesIn(program.files);
    const left = all.filter((each) => !templates.has(each)).map((each) => program.where(each));
    // The separator of `sql.join` is the tag's own.
    expect(left).toEqual([expect.stringContaining('server/src/storage/sql.ts')]);
    process.stdout.write(
      `${sites.length} statements of ${all.length} templates, in ${alternativeCount} alternatives\n`,
    );
  });

  it('are all found: as many as a search of the text finds', () => {
    expect(program.templatesIn(program.files).length).toBe(countInText(/\bsql`/g));
    // The calls within the tag are those that all others go through.
    const queries = sitesOf(program, program.files).filter(({ kind }) => kind === 'query');
    expect(queries.length).toBe(countInText(/\.query[<(]/g) - 2);
    const unstated = queries.flatMap((site) => unstatedOf(site) ?? []);
    const named = ({ file, call }: (typeof UNSTATED)[number]) => `${file} ${call}`;
    expect(unstated.map(named).sort()).toEqual(UNSTATED.map(named).sort());
  });

  it('are reported with file and line where they differ from the schema', async () => {
    const { problems } = await check(sitesOf(program, program.extraFiles));
    const at = (name: string) => {
      const line = WRONG_LINES.findIndex((text) => text.includes(` ${name}`)) + 2;
      return `server/test/statements/wrong.ts:${line}`;
    };
    expect(problems).toEqual([
      `${at('wrongColumnType')}: declares createdAt as string, and PostgreSQL returns timestamptz`,
      `${at('wrongNullability')}: declares unit as string, and it may be null`,
      `${at('nullByOuterJoin')}: declares role as string, and it may be null`,
      `${at('wrongColumnName')}: declares title, which is no column`,
      `${at('wrongColumnName')}: selects name, which is not declared`,
      `${at('wrongParameterType')}: parameter now is number, and PostgreSQL takes timestamptz`,
      `${at('wrongParameterType')}: parameter ids is readonly number[], and PostgreSQL takes an array of uuid`,
      `${at('const found')}: column "name_fold" does not exist, at: name_fold = $1 order by create`,
      `${at('const found')}: column "name_fold" does not exist, at: name_fold = $1`,
      `${at('textStatement')}: parameter id is number, and PostgreSQL takes uuid`,
      `${at('textStatement')}: declares name as number, and PostgreSQL returns text`,
      expect.stringContaining(`${at('notStated')}: `),
    ]);
  });
});
