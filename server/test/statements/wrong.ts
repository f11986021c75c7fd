// Statements that differ from the schema, each in one way: the test expects every difference reported.
import { type Queries, run, type Sql, sql } from '../../src/storage/index.ts';

export const wrongColumnType = (db: Queries) =>
  run<{ createdAt: string }>(db, sql`select created_at as "createdAt" from devices`);

export const wrongNullability = (db: Queries) =>
  run<{ description: string; unit: string }>(
    db,
    sql`select description, unit from variables where description is not null`,
  );

export const nullByOuterJoin = (db: Queries) =>
  run<{ role: string }>(
    db,
    sql`select role from users left join memberships on user_id = users.id`,
  );

export const wrongColumnName = (db: Queries) =>
  run<{ title: string }>(db, sql`select name from devices`);

export const wrongParameterType = (db: Queries, now: number, ids: readonly number[]) =>
  run(db, sql`select from devices where created_at > ${now} and id = any(${ids}::uuid[])`);

/** Wrong in one of its alternatives alone. */
export function wrongAlternative(db: Queries, isNewest: boolean, search: string) {
  const found = search === '' ? undefined : sql`and name_fold = ${search}`;
  return run(db, sql`select from devices where is_active ${orNothing(found)} ${order(isNewest)}`);
}

const orNothing = (condition: Sql | undefined) => condition ?? sql``;
const order = (isNewest: boolean) => (isNewest ? sql`order by created_at` : sql``);

export const textStatement = (db: Queries, id: number) =>
  db.query<{ name: number }>('select name from devices where id = $1', [id]);

export const notStated = (db: Queries, fragments: Map<string, Sql>) =>
  run(db, fragments.get('some') ?? sql`select 1`);
