import type { RotaLayer, RotaOverride } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import {
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

export interface RotaRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly timeZone: string;
  readonly layers: readonly RotaLayer[];
  readonly overrides: readonly RotaOverride[];
  readonly sendsHandoffMail: boolean;
  readonly sendsWeeklySummary: boolean;
  readonly hasCalendarLink: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** What an edit may set. */
export type RotaFields = Pick<
  RotaRow,
  | 'name'
  | 'description'
  | 'timeZone'
  | 'layers'
  | 'overrides'
  | 'sendsHandoffMail'
  | 'sendsWeeklySummary'
>;

const COLUMNS = sql`id, name, description, time_zone as "timeZone", layers, overrides,
  sends_handoff_mail as "sendsHandoffMail", sends_weekly_summary as "sendsWeeklySummary",
  calendar_digest is not null as "hasCalendarLink", created_at as "createdAt",
  updated_at as "updatedAt", revision`;

export const {
  find: findRota,
  list: listRotas,
  lock: lockRota,
  remove: deleteRota,
} = rowsOf<RotaRow>('rotas', COLUMNS);

export function listRotasByName(
  db: Queries,
  organizationId: string,
  request: PageRequest,
): Promise<Page<RotaRow>> {
  const where = sql`organization_id = ${organizationId}`;
  const order = sql`name_folded, id`;
  return page(db, { columns: COLUMNS, from: sql`rotas`, where, order }, request);
}

/** The organization is locked, so that two new rotas are counted one after the other. */
export async function countRotas(tx: Transaction, organizationId: string): Promise<number> {
  await run(tx, sql`select id from organizations where id = ${organizationId} for no key update`);
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*) from rotas where organization_id = ${organizationId}`,
  );
  return row?.count ?? 0;
}

export function insertRota(
  tx: Transaction,
  organizationId: string,
  { id, now, ...fields }: RotaFields & { readonly id: string; readonly now: number },
): Promise<RotaRow> {
  const at = isoDateTime(now);
  return saved(
    run<RotaRow>(
      tx,
      sql`insert into rotas (organization_id, id, name, name_folded, description, time_zone, layers,
            overrides, sends_handoff_mail, sends_weekly_summary, created_at, updated_at)
          values (${organizationId}, ${id}, ${fields.name}, ${fold(fields.name)},
            ${fields.description}, ${fields.timeZone}, ${JSON.stringify(fields.layers)},
            ${JSON.stringify(fields.overrides)}, ${fields.sendsHandoffMail},
            ${fields.sendsWeeklySummary}, ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

export function updateRota(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: RotaFields,
  now: number,
): Promise<RotaRow> {
  return saved(
    run<RotaRow>(
      tx,
      sql`update rotas set name = ${fields.name}, name_folded = ${fold(fields.name)},
            description = ${fields.description}, time_zone = ${fields.timeZone},
            layers = ${JSON.stringify(fields.layers)},
            overrides = ${JSON.stringify(fields.overrides)},
            sends_handoff_mail = ${fields.sendsHandoffMail},
            sends_weekly_summary = ${fields.sendsWeeklySummary},
            updated_at = ${isoDateTime(now)}, revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export interface PersonRow {
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string | null;
  readonly email: string;
}

/** Those of the users who are members; an invitation that is not accepted yet makes no member. */
export async function listMembers(
  db: Queries,
  wanted: readonly { readonly organizationId: string; readonly userId: string }[],
): Promise<PersonRow[]> {
  if (wanted.length === 0) return [];
  return await run<PersonRow>(
    db,
    sql`select distinct m.organization_id as "organizationId", m.user_id as "userId", m.name, u.email
        from json_to_recordset(${JSON.stringify(wanted)}) as asked
          ("organizationId" uuid, "userId" uuid)
        join memberships m on m.organization_id = "organizationId" and m.user_id = "userId"
          and m.status = 'ACTIVE'
        join users u on u.id = m.user_id`,
  );
}

export interface NamedRotaRow
  extends Pick<RotaRow, 'id' | 'name' | 'timeZone' | 'layers' | 'overrides'> {
  readonly organizationId: string;
}

export async function listRotasNamed(
  db: Queries,
  wanted: readonly { readonly organizationId: string; readonly rotaId: string }[],
): Promise<NamedRotaRow[]> {
  if (wanted.length === 0) return [];
  return await run<NamedRotaRow>(
    db,
    sql`select rotas.organization_id as "organizationId", rotas.id, name, time_zone as "timeZone",
          layers, overrides
        from json_to_recordset(${JSON.stringify(wanted)}) as asked
          ("organizationId" uuid, "rotaId" uuid)
        join rotas on rotas.organization_id = "organizationId" and rotas.id = "rotaId"`,
  );
}
