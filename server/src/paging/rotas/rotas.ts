import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { Failure, invalid, isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import type { Queries, Storage, Transaction } from '../../storage/index.ts';
import { dueTimesOf, saveDueTimes } from './mails/index.ts';
import { membersOf, planOfMembers } from './on-call.ts';
import {
  editedFields,
  layersOf,
  onCallRecord,
  overridesOf,
  type People,
  personName,
  rotaRecord,
} from './rota.ts';
import { type RotaPlan, shiftsOf } from './shifts.ts';
import * as store from './store.ts';

export interface RotasDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

export interface Rotas {
  readonly list: Handler<Operations['listRotas']>;
  readonly retrieve: Handler<Operations['retrieveRota']>;
  readonly create: Handler<Operations['createRota']>;
  readonly update: Handler<Operations['updateRota']>;
  readonly delete: Handler<Operations['deleteRota']>;
  readonly listOnCall: Handler<Operations['listOnCall']>;
  readonly retrieveOnCall: Handler<Operations['retrieveOnCall']>;
  readonly listShifts: Handler<Operations['listShifts']>;
}

const MAX_ROTAS_PER_ORGANIZATION = 100;

export function createRotas({ storage, newId }: RotasDeps): Rotas {
  return {
    async list({ params: { organizationId }, query }, { now }) {
      const { search = '' } = query;
      const found = await store.listRotas(storage, organizationId, { search }, query);
      const people = await peopleOf(storage, organizationId, found.rows);
      const items = found.rows.map((row) => rotaRecord(row, people(row), now));
      return { body: { count: found.count, items } };
    },
    async retrieve({ params: { organizationId, rotaId } }, { now }) {
      const row = await required(store.findRota(storage, organizationId, rotaId));
      const people = await peopleOf(storage, organizationId, [row]);
      return { body: rotaRecord(row, people(row), now), revision: row.revision };
    },
    create: create(newId),
    update,
    async delete({ params: { organizationId, rotaId } }, { tx, precondition }) {
      const row = await required(store.lockRota(tx, organizationId, rotaId));
      precondition.check(row.revision);
      await store.deleteRota(tx, organizationId, rotaId);
      return { body: undefined, changes: changed(organizationId, row) };
    },
    ...onCallHandlers(storage),
  };
}

function onCallHandlers(
  storage: Storage,
): Pick<Rotas, 'listOnCall' | 'retrieveOnCall' | 'listShifts'> {
  return {
    async listOnCall({ params: { organizationId }, query }, { now }) {
      const found = await store.listRotasByName(storage, organizationId, query);
      const people = await peopleOf(storage, organizationId, found.rows);
      const items = found.rows.map((row) => onCallRecord(row, people(row), now));
      return { body: { count: found.count, items } };
    },
    async retrieveOnCall({ params: { organizationId, rotaId }, query }, { now }) {
      const row = await required(store.findRota(storage, organizationId, rotaId));
      const people = await peopleOf(storage, organizationId, [row]);
      const at = query.at === undefined ? now : Date.parse(query.at);
      return { body: onCallRecord(row, people(row), at) };
    },
    async listShifts({ params: { organizationId, rotaId }, query }) {
      const row = await required(store.findRota(storage, organizationId, rotaId));
      const people = (await peopleOf(storage, organizationId, [row]))(row);
      const plan = planOfMembers(row, (id) => people.has(id));
      const shifts = shiftsOf(plan, Date.parse(query.from), Date.parse(query.to));
      const items = shifts.map(({ userId, from, to }) => ({
        userId,
        name: personName(people, userId),
        isGap: userId === null,
        fromDateTime: isoDateTime(from),
        toDateTime: isoDateTime(to),
      }));
      return { body: { count: items.length, items } };
    },
  };
}

function create(newId: NewId): Rotas['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    if ((await store.countRotas(tx, organizationId)) >= MAX_ROTAS_PER_ORGANIZATION) {
      const max = MAX_ROTAS_PER_ORGANIZATION;
      throw new Failure('CONFLICT', `An organization has at most ${max} rotas.`);
    }
    const { description = null, ...given } = body;
    const layers = layersOf(body.layers);
    const fields = { ...given, description, layers, overrides: overridesOf(body.overrides) };
    const people = await requireMembers(tx, organizationId, fields);
    const row = await store.insertRota(tx, organizationId, { ...fields, id: newId(), now });
    await saveDueTimes(tx, { organizationId, id: row.id }, dueTimesOf(row, now));
    return {
      body: rotaRecord(row, people, now),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/rotas/${row.id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

const update: Rotas['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, rotaId } = params;
  const row = await required(store.lockRota(tx, organizationId, rotaId));
  precondition.check(row.revision);
  // What stays as it is may name former members; only what is given must name members.
  const layers = layersOf(body.layers ?? []);
  const overrides = overridesOf(body.overrides ?? []);
  await requireMembers(tx, organizationId, { layers, overrides });
  const fields = {
    ...{ ...row, ...body },
    layers: body.layers ? layers : row.layers,
    overrides: body.overrides ? overrides : row.overrides,
  };
  const saved = await store.updateRota(tx, organizationId, rotaId, fields, now);
  const people = (await peopleOf(tx, organizationId, [saved]))(saved);
  const plan = planOfMembers(saved, (id) => people.has(id));
  await saveDueTimes(tx, { organizationId, id: rotaId }, dueTimesOf(plan, now));
  return {
    body: rotaRecord(saved, people, now),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

async function required(found: Promise<store.RotaRow | null>): Promise<store.RotaRow> {
  const row = await found;
  if (!row) throw notFound('rota');
  return row;
}

async function peopleOf(
  db: Queries,
  organizationId: string,
  rows: readonly store.RotaRow[],
): Promise<(row: store.RotaRow) => People> {
  const owned = rows.map((row) => ({ ...row, organizationId }));
  const members = (await membersOf(db, owned))(organizationId);
  return ({ layers, overrides }) => {
    const named = new Set<string | null>([
      ...layers.flatMap(({ userIds }) => userIds),
      ...overrides.map(({ userId }) => userId),
    ]);
    return new Map([...members].filter(([userId]) => named.has(userId)));
  };
}

/** Fails naming every field with a user who is no member. */
async function requireMembers(
  tx: Transaction,
  organizationId: string,
  { layers, overrides }: Pick<RotaPlan, 'layers' | 'overrides'>,
): Promise<People> {
  const named = [
    ...layers.flatMap(({ userIds }, layer) =>
      userIds.map((userId, index) => ({ path: `layers[${layer}].userIds[${index}]`, userId })),
    ),
    ...overrides.map(({ userId }, index) => ({ path: `overrides[${index}].userId`, userId })),
  ];
  const wanted = named.flatMap(({ userId }) => (userId ? [{ organizationId, userId }] : []));
  const people = new Map(
    (await store.listMembers(tx, wanted)).map((person) => [person.userId, person]),
  );
  const errors = named.flatMap(({ path, userId }) => {
    if (userId === null || people.has(userId)) return [];
    return [{ path, message: `names no member of this organization: ${userId}` }];
  });
  if (errors.length > 0) throw invalid(...errors);
  return people;
}

function changed(organizationId: string, before?: store.RotaRow, after?: store.RotaRow): Change[] {
  const id = (after ?? before)?.id ?? '';
  const fieldsOf = (row: store.RotaRow | undefined) => row && editedFields(row);
  return [
    changeOf(organizationId, 'Rota', { id, before: fieldsOf(before), after: fieldsOf(after) }),
  ];
}
