import { type ApiKey, KEY_PERMISSIONS, type KeyPermission } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import { type Queries, saved, type Transaction, violates } from '../../storage/index.ts';
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

const COLUMNS = `id, name, permissions, expires_at as "expiresAt", last_used_at as "lastUsedAt",
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
  return saved(
    tx.query<ApiKeyRow>(
      `insert into api_keys (id, organization_id, name, name_folded, secret_hash, permissions,
       expires_at, created_at, updated_at, created_by_kind, created_by_id, created_by_name)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11)
     returning ${COLUMNS}`,
      [
        key.id,
        organizationId,
        key.name,
        fold(key.name),
        key.secretHash,
        key.permissions,
        dateTimeOrNull(key.expiresAt),
        isoDateTime(key.now),
        key.createdBy.kind,
        key.createdBy.id,
        key.createdBy.name,
      ],
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
  const [row] = await db.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  return row ? known(row) : null;
}

export async function lockApiKey(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<ApiKeyRow | null> {
  if (!isKeyId(id)) return null;
  const [row] = await tx.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys where organization_id = $1 and id = $2 for update`,
    [organizationId, id],
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
    tx.query<ApiKeyRow>(
      `update api_keys set name = $3, name_folded = $4, permissions = $5, expires_at = $6,
       updated_at = $7, revision = revision + 1
     where organization_id = $1 and id = $2 returning ${COLUMNS}`,
      [
        organizationId,
        id,
        terms.name,
        fold(terms.name),
        terms.permissions,
        dateTimeOrNull(terms.expiresAt),
        isoDateTime(terms.now),
      ],
    ),
  );
}

export async function deleteApiKey(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<void> {
  await tx.query('delete from api_keys where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
}

/** Finds what a key or a user made ($2), what those keys made, and so on; a loop ends by itself. */
const DESCENDANTS = `with recursive descendants (id) as (
    select id from api_keys where organization_id = $1 and created_by_id = $2
    union
    select k.id from api_keys k join descendants d on k.created_by_id = d.id
    where k.organization_id = $1 and k.created_by_kind = 'API_KEY'
  )`;

/** The descendants of a key, once no other request works on them, in the order of their ids. */
export async function lockDescendants(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<ApiKeyRow[]> {
  const rows = await tx.query<ApiKeyRow>(
    `${DESCENDANTS}
     select ${COLUMNS} from api_keys
     where organization_id = $1 and id <> $2 and id in (select id from descendants)
     order by id for update`,
    [organizationId, id],
  );
  return rows.map(known);
}

export interface ApiKeyFilter {
  readonly search: string;
  /** The id of a key or a user, or null. */
  readonly descendantsOf: string | null;
  readonly skip: number;
  readonly take: number;
}

export async function listApiKeys(
  db: Queries,
  organizationId: string,
  filter: ApiKeyFilter,
): Promise<{ count: number; rows: ApiKeyRow[] }> {
  const rows = await db.query<ApiKeyRow & { count: number; id: string | null }>(
    `${DESCENDANTS}, matching as not materialized (
       select * from api_keys
       where organization_id = $1 and ($3 = '' or position($3 in name_folded) > 0)
         and ($2::text is null or (id <> $2 and id in (select id from descendants)))
     )
     select total.count, page.* from (select count(*) from matching) total
     left join (
       select ${COLUMNS} from matching order by created_at desc, id desc offset $4 limit $5
     ) page on true
     order by page."createdAt" desc, page.id desc`,
    [organizationId, filter.descendantsOf, fold(filter.search), filter.skip, filter.take],
  );
  return {
    count: rows[0]?.count ?? 0,
    rows: rows.filter(({ id }) => id !== null).map(known),
  };
}

/** A permission that this version does not know grants nothing and is not shown. */
function known<Row extends { readonly permissions: readonly KeyPermission[] }>(row: Row): Row {
  return { ...row, permissions: row.permissions.filter((name) => KEY_PERMISSIONS.includes(name)) };
}

function dateTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoDateTime(epochMs);
}
