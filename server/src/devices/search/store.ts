import { type Queries, run, sql } from '../../storage/index.ts';
import type { DeviceRow } from '../device.ts';
import { COLUMNS } from '../store.ts';

/** A Device with what it is found and ordered by. */
export interface SearchedRow extends DeviceRow {
  readonly nameFolded: string;
  /** The time in the database is finer than that of the record. */
  readonly createdMicros: number;
}

const SEARCHED_COLUMNS = sql`${COLUMNS}, name_folded as "nameFolded",
  (extract(epoch from created_at) * 1000000)::bigint as "createdMicros"`;

/** The next Devices behind one, in the order of the list. */
export function listSearched(
  db: Queries,
  organizationId: string,
  behind: Pick<SearchedRow, 'createdMicros' | 'id'> | undefined,
  limit: number,
): Promise<SearchedRow[]> {
  const position = behind
    ? sql`and (created_at, id) <
        (timestamptz 'epoch' + ${behind.createdMicros} * interval '1 microsecond', ${behind.id})`
    : sql``;
  return run(
    db,
    sql`select ${SEARCHED_COLUMNS} from devices where organization_id = ${organizationId} ${position}
        order by created_at desc, id desc limit ${limit}`,
  );
}

/** Those of these Devices that exist. */
export function findSearched(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<SearchedRow[]> {
  return run(
    db,
    sql`select ${SEARCHED_COLUMNS} from devices
        where organization_id = ${organizationId} and id = any(${ids}::uuid[])`,
  );
}
