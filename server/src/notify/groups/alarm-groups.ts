import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { invalid, type NewId, notFound } from '../../runtime/index.ts';
import { requireReferences, type Storage, type Transaction } from '../../storage/index.ts';
import {
  editedGroupFields,
  groupRecord,
  newGroupFields,
  referencesIn,
  reminderErrors,
} from './alarm-group.ts';
import * as store from './store.ts';

export interface AlarmGroupsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

export interface AlarmGroups {
  readonly list: Handler<Operations['listAlarmGroups']>;
  readonly retrieve: Handler<Operations['retrieveAlarmGroup']>;
  readonly create: Handler<Operations['createAlarmGroup']>;
  readonly update: Handler<Operations['updateAlarmGroup']>;
  readonly delete: Handler<Operations['deleteAlarmGroup']>;
}

export function createAlarmGroups({ storage, newId }: AlarmGroupsDeps): AlarmGroups {
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listAlarmGroups(storage, organizationId, { search }, query);
      return { body: { count: found.count, items: found.rows.map(groupRecord) } };
    },
    async retrieve({ params: { organizationId, alarmGroupId } }) {
      const row = await store.findAlarmGroup(storage, organizationId, alarmGroupId);
      if (!row) throw notFound('alarm group');
      return { body: groupRecord(row), revision: row.revision };
    },
    create: create(newId),
    update,
    delete: remove,
  };
}

function create(newId: NewId): AlarmGroups['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const id = newId();
    const fields = newGroupFields(body);
    await check(tx, organizationId, fields);
    const row = await store.insertAlarmGroup(tx, organizationId, { ...fields, id, now });
    return {
      body: groupRecord(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/alarm-groups/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

const update: AlarmGroups['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, alarmGroupId } = params;
  const row = await lock(tx, organizationId, alarmGroupId);
  precondition.check(row.revision);
  const fields = editedGroupFields(row, body);
  await check(tx, organizationId, fields);
  const saved = await store.updateAlarmGroup(tx, organizationId, alarmGroupId, fields, now);
  return {
    body: groupRecord(saved),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

const remove: AlarmGroups['delete'] = async ({ params }, { tx, precondition }) => {
  const { organizationId, alarmGroupId } = params;
  const row = await lock(tx, organizationId, alarmGroupId);
  precondition.check(row.revision);
  await store.deleteAlarmGroup(tx, organizationId, alarmGroupId);
  return { body: undefined, changes: changed(organizationId, row) };
};

/** Removes the addresses that are meant from a group; no change where there are none, or no group. */
export async function removeAddress(
  tx: Transaction,
  { organizationId, alarmGroupId }: { organizationId: string; alarmGroupId: string },
  isMeant: (email: string) => boolean,
  now: number,
): Promise<Change[]> {
  const row = await store.lockAlarmGroup(tx, organizationId, alarmGroupId);
  const subscriptions = row?.subscriptions.filter(({ email }) => email === null || !isMeant(email));
  if (!row || subscriptions?.length === row.subscriptions.length) return [];
  const fields = { ...editedGroupFields(row, {}), subscriptions: subscriptions ?? [] };
  const saved = await store.updateAlarmGroup(tx, organizationId, alarmGroupId, fields, now);
  return changed(organizationId, row, saved);
}

async function check(
  tx: Transaction,
  organizationId: string,
  fields: store.AlarmGroupEdit,
): Promise<void> {
  const errors = reminderErrors(fields);
  if (errors.length > 0) throw invalid(...errors);
  await requireReferences(tx, organizationId, referencesIn(fields));
}

async function lock(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<store.AlarmGroupRow> {
  const row = await store.lockAlarmGroup(tx, organizationId, id);
  if (!row) throw notFound('alarm group');
  return row;
}

function changed(
  organizationId: string,
  before?: store.AlarmGroupRow,
  after?: store.AlarmGroupRow,
): Change[] {
  const id = (after ?? before)?.id ?? '';
  const change = { id, before: before && groupRecord(before), after: after && groupRecord(after) };
  return [changeOf(organizationId, 'AlarmGroup', change)];
}
