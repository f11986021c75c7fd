import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Fields, type Handler } from '../http/index.ts';
import { Failure, invalid, type NewId, notFound } from '../runtime/index.ts';
import { requireReferences, type Storage, type Transaction } from '../storage/index.ts';
import { type AlarmRow, type AlarmTerms, alarmRecord } from './alarm.ts';
import * as store from './store.ts';
import { alarmErrors, editedAlarmTerms, newAlarmTerms } from './terms.ts';

export interface AlarmsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

export interface Alarms {
  readonly search: Handler<Operations['searchAlarms']>;
  readonly retrieve: Handler<Operations['retrieveAlarm']>;
  readonly create: Handler<Operations['createAlarm']>;
  readonly update: Handler<Operations['updateAlarm']>;
  readonly archive: Handler<Operations['archiveAlarm']>;
  readonly restore: Handler<Operations['restoreAlarm']>;
}

export function createAlarms({ storage, newId }: AlarmsDeps): Alarms {
  return {
    search: search(storage),
    async retrieve({ params: { organizationId, alarmId } }) {
      const row = await store.findAlarm(storage, organizationId, alarmId);
      if (!row) throw notFound('Alarm');
      return { body: alarmRecord(row), revision: row.revision };
    },
    create: create(newId),
    update,
    archive,
    restore,
  };
}

function search(storage: Storage): Alarms['search'] {
  return async ({ params: { organizationId }, body }) => {
    const filter = {
      search: body.search ?? '',
      severities: body.severities ?? [],
      statuses: body.statuses ?? [],
      isTriggered: body.isTriggered ?? null,
      deviceVariableIds: body.deviceVariableIds ?? [],
      assetIds: body.assetIds ?? [],
      locationIds: body.locationIds ?? [],
      alarmGroupIds: body.alarmGroupIds ?? [],
      archivedScope: body.archivedScope,
    };
    const { count, rows } = await store.searchAlarms(storage, organizationId, filter, body);
    return { body: { count, items: rows.map(alarmRecord) } };
  };
}

function create(newId: NewId): Alarms['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const id = newId();
    const terms = newAlarmTerms(body);
    await requireNamed(tx, organizationId, terms);
    await requireFit(tx, organizationId, terms);
    const row = await store.insertAlarm(tx, organizationId, { ...terms, id, now });
    return {
      body: alarmRecord(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/alarms/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

const update: Alarms['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, alarmId } = params;
  const row = await lock(tx, organizationId, alarmId);
  precondition.check(row.revision);
  if (row.archivedAt !== null) {
    throw new Failure('CONFLICT', 'The Alarm is archived: restore it before changing it.');
  }
  const terms = editedAlarmTerms(row, body);
  await requireNamed(tx, organizationId, body);
  await requireFit(tx, organizationId, terms);
  const saved = await store.updateAlarm(tx, organizationId, alarmId, terms, now);
  return {
    body: alarmRecord(saved),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

const archive: Alarms['archive'] = async ({ params }, { tx, now, precondition }) => {
  const { organizationId, alarmId } = params;
  const row = await lock(tx, organizationId, alarmId);
  precondition.check(row.revision);
  if (row.archivedAt !== null) return { body: undefined, changes: [] };
  const saved = await store.setArchived(tx, organizationId, alarmId, now, now);
  return { body: undefined, changes: changed(organizationId, row, saved) };
};

const restore: Alarms['restore'] = async ({ params }, { tx, now, precondition }) => {
  const { organizationId, alarmId } = params;
  const row = await lock(tx, organizationId, alarmId);
  precondition.check(row.revision);
  if (row.archivedAt === null) {
    return { body: alarmRecord(row), revision: row.revision, changes: [] };
  }
  const saved = await store.setArchived(tx, organizationId, alarmId, null, now);
  return {
    body: alarmRecord(saved),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

async function lock(tx: Transaction, organizationId: string, id: string): Promise<AlarmRow> {
  const row = await store.lockAlarm(tx, organizationId, id);
  if (!row) throw notFound('Alarm');
  return row;
}

/** Looks at what the request names; what is stored already cannot be missing. */
function requireNamed(
  tx: Transaction,
  organizationId: string,
  named: Partial<Pick<AlarmTerms, 'deviceId' | 'deviceVariableId' | 'alarmGroupId'>>,
): Promise<void> {
  return requireReferences(tx, organizationId, [
    { path: 'deviceId', table: 'devices', id: named.deviceId },
    { path: 'deviceVariableId', table: 'variables', id: named.deviceVariableId },
    { path: 'alarmGroupId', table: 'alarm_groups', id: named.alarmGroupId },
  ]);
}

async function requireFit(
  tx: Transaction,
  organizationId: string,
  terms: AlarmTerms,
): Promise<void> {
  const variable = await store.findWatchedVariable(tx, organizationId, terms.deviceVariableId);
  if (!variable) throw new Error('the Variable of an Alarm is gone');
  const errors = alarmErrors(terms, variable);
  if (errors.length > 0) throw invalid(...errors);
}

/** What a person edits; what readings move is nobody's change. */
function toldOf(row: AlarmRow): Fields {
  const { isTriggered: _, triggeredDateTime: __, ...fields } = alarmRecord(row);
  return fields;
}

function changed(organizationId: string, before?: AlarmRow, after?: AlarmRow): Change[] {
  const id = (after ?? before)?.id ?? '';
  const told = { id, before: before && toldOf(before), after: after && toldOf(after) };
  return [changeOf(organizationId, 'Alarm', told)];
}
