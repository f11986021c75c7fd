import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

/** A Variable's history as the server answered that wrote it; times as differences to the one before. */
export interface History {
  readonly id: string;
  readonly path: string;
  readonly first: number;
  readonly steps: readonly number[];
  readonly values: readonly (number | boolean | string)[];
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

/** What the server answered that stored the data of a fixture; see scripts/fixture-data.mjs. */
export interface Answers {
  readonly device: Item;
  readonly variables: readonly Item[];
  readonly alarms: readonly Item[];
  readonly events: readonly Item[];
  readonly groups: readonly Item[];
  readonly webhooks: readonly Item[];
  readonly webhookSecret: string;
  readonly users: readonly (Item & { readonly email: string; readonly role: string })[];
  readonly history: readonly History[];
}

const FOLDER = new URL('fixtures/', import.meta.url);

const unpacked = (file: string) => gunzipSync(readFileSync(new URL(file, FOLDER))).toString();

/** The last migration of each fixture, such as `0014`. */
export const STATES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql.gz'))
  .map((file) => file.slice(0, 4))
  .sort();

export function answersOf(state: string): Answers {
  return JSON.parse(unpacked(`${state}.json.gz`)) as Answers;
}

/** Runs on a connection of its own: a dump sets parameters of its session. */
export async function execute<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the database `name` with the data of a fixture, at the address of the cluster's `postgres`. */
export async function loadFixture(adminUrl: string, state: string, name: string): Promise<string> {
  await execute(adminUrl, `CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await execute(url.href, unpacked(`${state}.sql.gz`));
  return url.href;
}
