import { type ApiKey, KEY_PERMISSIONS, type KeyPermission } from '@fieldwatch/contract';
import { fold, idForms, isoDateTime } from '../../runtime/index.ts';
import {
  all,
  contains,
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  type Sql,
  saved,
  sql,
  type Transaction,
  violates,
} from '../../storage/index.ts';
import { isKeyId } from '../key-id.ts';
import type { KeyTerms } from './edit.ts';

export type KeyMaker = NonNullable<ApiKey['createdBy']>;

export interface ApiKeyRow extends KeyTerms {
  readonly id: string;
  /** Null for a key that is older than this column. */
  readonly createdByKind: KeyMaker['kind'] | null;
  readonly createdById: string | null;
  readonly createdByName: string | null;
  readonly lastUsedAt: number | null;
  readonly createdAt: number;
  readonly revision: number;
}

const COLUMNS = sql`id, name, permissions, expires_at as "expiresAt", last_used_at as "lastUsedAt",
  created_at as "createdAt", created_by_kind as "createdByKind", created_by_id as "createdById",
  created_by_name as "createdByName", revision`;

export interface NewApiKey extends KeyTerms {
  readonly id: string;
  readonly secretHash: string;
  readonly createdBy: KeyMaker;
  readonly now: number;
}

/** Fails when the id is taken, here or in another organization; see `isIdTaken`. */
export function insertApiKey(
  tx: Transaction,
  organizationId: string,
  key: NewApiKey,
): Promise<ApiKeyRow> {
  const at = isoDateTime(key.now);
  return saved(
    run(
      tx,
      sql`insert into api_keys (id, organization_id, name, name_folded, secret_hash, permissions,
            expires_at, created_at, updated_at, created_by_kind, created_by_id, created_by_name)
          values (${key.id}, ${organizationId}, ${key.name}, ${fold(key.name)}, ${key.secretHash},
            ${key.permissions}, ${dateTimeOrNull(key.expiresAt)}, ${at}, ${at},
            ${key.createdBy.kind}, ${key.createdBy.id}, ${key.createdBy.name})
          returning ${COLUMNS}`,
    ),
  );
}

/** Whether `insertApiKey` failed because a key has this id already. */
export function isIdTaken(error: unknown): boolean {
  return violates(error, 'api_keys_pkey');
}

export async function findApiKey(
  db: Queries,
  organizationId: string,
  id: string,
): Promise<ApiKeyRow | null> {
  if (!isKeyId(id)) return null;
  const [row] = await run<ApiKeyRow>(
    db,
    sql`select ${COLUMNS} from api_keys where organization_id = ${organizationId} and id = ${id}`,
  );
  return row ? known(row) : null;
}

export async function lockApiKey(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<ApiKeyRow | null> {
  if (!isKeyId(id)) return null;
  const [row] = await run<ApiKeyRow>(
    tx,
    sql`select ${COLUMNS} from api_keys where organization_id = ${organizationId}
          and id = ${id} for update`,
  );
  return row ? known(row) : null;
}

export async function updateApiKey(
  tx: Transaction,
  organizationId: string,
  id: string,
  terms: KeyTerms & { readonly now: number },
): Promise<ApiKeyRow> {
  return saved(
    run<ApiKeyRow>(
      tx,
      sql`update api_keys set name = ${terms.name}, name_folded = ${fold(terms.name)},
            permissions = ${terms.permissions}, expires_at = ${dateTimeOrNull(terms.expiresAt)},
            updated_at = ${isoDateTime(terms.now)}, revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export async function deleteApiKey(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<void> {
  await run(tx, sql`delete from api_keys where organization_id = ${organizationId} and id = ${id}`);
}

/** Finds what a key or a user made, what those keys made, and so on; a loop ends by itself. */
function descendantsOf(organizationId: string, makerId: string): Sql {
  return sql`with recursive descendants (id) as (
    select id from api_keys
    where organization_id = ${organizationId} and created_by_id = any(${idForms(makerId)})
    union
    select k.id from api_keys k join descendants d on k.created_by_id = d.id
    where k.organization_id = ${organizationId} and k.created_by_kind = 'API_KEY'
  )`;
}

/** The descendants of a key, once no other request works on them, in the order of their ids. */
export async function lockDescendants(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<ApiKeyRow[]> {
  const rows = await run<ApiKeyRow>(
    tx,
    sql`${descendantsOf(organizationId, id)}
        select ${COLUMNS} from api_keys
        where organization_id = ${organizationId} and id <> ${id} and id in (select id
          from descendants)
        order by id for update`,
  );
  return rows.map(known);
}

export interface ApiKeyFilter extends PageRequest {
  readonly search: string;
  /** The id of a key or a user, or null. */
  readonly descendantsOf: string | null;
}

export async function listApiKeys(
  db: Queries,
  organizationId: string,
  filter: ApiKeyFilter,
): Promise<Page<ApiKeyRow>> {
  const makerId = filter.descendantsOf;
  const where = all([
    sql`organization_id = ${organizationId}`,
    makerId === null
      ? undefined
      : sql`id <> ${makerId}
          and id in (${descendantsOf(organizationId, makerId)} select id from descendants)`,
  ]);
  const search = contains(sql`name_folded`, fold(filter.search));
  const { count, rows } = await page<ApiKeyRow>(
    db,
    { columns: COLUMNS, from: sql`api_keys`, where, search },
    filter,
  );
  return { count, rows: rows.map(known) };
}

/** A permission that this version does not know grants nothing and is not shown. */
function known<Row extends { readonly permissions: readonly KeyPermission[] }>(row: Row): Row {
  return { ...row, permissions: row.permissions.filter((name) => KEY_PERMISSIONS.includes(name)) };
}

function dateTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoDateTime(epochMs);
}
