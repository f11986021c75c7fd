import { fold, isoDateTime } from '../../runtime/index.ts';
import {
  all,
  contains,
  type Page,
  type PageRequest,
  page,
  type Queries,
  rowsOf,
  run,
  saved,
  sql,
  type Transaction,
} from '../../storage/index.ts';

export interface FolderRow {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

const COLUMNS = sql`id, name, parent_id as "parentId", created_at as "createdAt",
  updated_at as "updatedAt", revision`;

export const {
  find: findFolder,
  lock: lockFolder,
  remove: deleteFolder,
} = rowsOf<FolderRow>('variable_folders', COLUMNS);

export function listFolders(
  db: Queries,
  organizationId: string,
  search: string,
  request: PageRequest,
): Promise<Page<FolderRow>> {
  const where = all([sql`organization_id = ${organizationId}`]);
  const found = contains(sql`name_folded`, fold(search));
  return page(db, { columns: COLUMNS, from: sql`variable_folders`, where, search: found }, request);
}

export interface FolderFields {
  readonly name: string;
  readonly parentId: string | null;
  readonly now: number;
}

export async function insertFolder(
  tx: Transaction,
  organizationId: string,
  { id, name, parentId, now }: FolderFields & { readonly id: string },
): Promise<FolderRow> {
  const at = isoDateTime(now);
  return saved(
    run<FolderRow>(
      tx,
      sql`insert into variable_folders (organization_id, id, name, name_folded, parent_id,
          created_at, updated_at)
        values (${organizationId}, ${id}, ${name}, ${fold(name)}, ${parentId}, ${at}, ${at})
        returning ${COLUMNS}`,
    ),
  );
}

export async function updateFolder(
  tx: Transaction,
  organizationId: string,
  id: string,
  { name, parentId, now }: FolderFields,
): Promise<FolderRow> {
  return saved(
    run<FolderRow>(
      tx,
      sql`update variable_folders set name = ${name}, name_folded = ${fold(name)},
          parent_id = ${parentId}, updated_at = ${isoDateTime(now)}, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}
