import { fold, isoDateTime } from '../../runtime/index.ts';
import { rowsOf, run, saved, sql, type Transaction } from '../../storage/index.ts';

export type ConnectionState = 'CONNECTING' | 'CONNECTED' | 'FAILED';

export interface ConnectionRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly username: string | null;
  readonly encryptedPassword: Buffer | null;
  readonly discoveryPrefix: string;
  readonly locationIds: string[];
  readonly isActive: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
  readonly state: ConnectionState;
  readonly stateAt: number;
  readonly stateMessage: string | null;
  readonly deviceCount: number;
}

/** What an edit may set. */
export type ConnectionFields = Pick<
  ConnectionRow,
  'name' | 'url' | 'username' | 'encryptedPassword' | 'discoveryPrefix' | 'locationIds' | 'isActive'
>;

const COLUMNS = sql`id, name, url, username, encrypted_password as "encryptedPassword",
  discovery_prefix as "discoveryPrefix", location_ids as "locationIds", is_active as "isActive",
  created_at as "createdAt", updated_at as "updatedAt", revision, state, state_at as "stateAt",
  state_message as "stateMessage", device_count as "deviceCount"`;

export const {
  find: findConnection,
  list: listConnections,
  lock: lockConnection,
  remove: deleteConnection,
} = rowsOf<ConnectionRow>('home_assistant_connections', COLUMNS);

/** The organization is locked, so that two new connections are counted one after the other. */
export async function countConnections(tx: Transaction, organizationId: string): Promise<number> {
  await run(tx, sql`select id from organizations where id = ${organizationId} for no key update`);
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*)::int as count from home_assistant_connections
        where organization_id = ${organizationId}`,
  );
  return row?.count ?? 0;
}

export async function insertConnection(
  tx: Transaction,
  organizationId: string,
  { id, now, ...fields }: ConnectionFields & { readonly id: string; readonly now: number },
): Promise<ConnectionRow> {
  const at = isoDateTime(now);
  return saved(
    run<ConnectionRow>(
      tx,
      sql`insert into home_assistant_connections (organization_id, id, name, name_folded, url,
          username, encrypted_password, discovery_prefix, location_ids, is_active, created_at,
          updated_at, state, state_at)
        values (${organizationId}, ${id}, ${fields.name}, ${fold(fields.name)}, ${fields.url},
          ${fields.username}, ${fields.encryptedPassword}, ${fields.discoveryPrefix},
          ${fields.locationIds}::uuid[], ${fields.isActive}, ${at}, ${at}, 'CONNECTING', ${at})
        returning ${COLUMNS}`,
    ),
  );
}

export async function updateConnection(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: ConnectionFields,
  now: number,
): Promise<ConnectionRow> {
  const at = isoDateTime(now);
  return saved(
    run<ConnectionRow>(
      tx,
      sql`update home_assistant_connections set name = ${fields.name},
          name_folded = ${fold(fields.name)}, url = ${fields.url}, username = ${fields.username},
          encrypted_password = ${fields.encryptedPassword},
          discovery_prefix = ${fields.discoveryPrefix},
          location_ids = ${fields.locationIds}::uuid[], is_active = ${fields.isActive},
          updated_at = ${at}, revision = revision + 1, state = 'CONNECTING', state_at = ${at},
          state_message = null
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}
