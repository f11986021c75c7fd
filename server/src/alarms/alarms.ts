import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Fields, type Handler } from '../http/index.ts';
import { Failure, invalid, type NewId, notFound, parseFutureMoment } from '../runtime/index.ts';
import type { Storage, Transaction } from '../storage/index.ts';
import { type AlarmRow, type AlarmTerms, alarmRecord } from './alarm.ts';
import { type AlarmAnalysis, type AnalysisDeps, createAlarmAnalysis } from './analysis/index.ts';
import { type AlarmAssignments, createAlarmAssignments } from './assignments/index.ts';
import type { AlarmEngine } from './engine/index.ts';
import { type AlarmHistory, createAlarmHistory } from './history/index.ts';
import { requireNamed } from './references.ts';
import * as store from './store.ts';
import { alarmErrors, editedAlarmTerms, newAlarmTerms } from './terms.ts';

export interface AlarmsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly engine: Pick<AlarmEngine, 'edited'>;
  readonly consumeHistory: AnalysisDeps['consumeHistory'];
  readonly onEventsChanged: (organizationId: string) => void;
}

export interface Alarms {
  readonly search: Handler<Operations['searchAlarms']>;
  readonly retrieve: Handler<Operations['retrieveAlarm']>;
  readonly create: Handler<Operations['createAlarm']>;
  readonly update: Handler<Operations['updateAlarm']>;
  readonly archive: Handler<Operations['archiveAlarm']>;
  readonly restore: Handler<Operations['restoreAlarm']>;
  readonly shelve: Handler<Operations['shelveAlarm']>;
  readonly unshelve: Handler<Operations['unshelveAlarm']>;
  readonly history: AlarmHistory;
  readonly assignments: AlarmAssignments;
  readonly analysis: AlarmAnalysis;
}

export function createAlarms(deps: AlarmsDeps): Alarms {
  const { storage } = deps;
  return {
    search: search(storage),
    async retrieve({ params: { organizationId, alarmId } }, { now }) {
      const row = await store.findAlarm(storage, organizationId, alarmId);
      if (!row) throw notFound('Alarm');
      return { body: alarmRecord(row, now), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    archive: archive(deps),
    restore: restore(deps),
    shelve,
    unshelve,
    history: createAlarmHistory(deps),
    assignments: createAlarmAssignments(deps),
    analysis: createAlarmAnalysis(deps),
  };
}

function search(storage: Storage): Alarms['search'] {
  return async ({ params: { organizationId }, body }, { now }) => {
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
    return { body: { count, items: rows.map((row) => alarmRecord(row, now)) } };
  };
}

function create({ newId, engine }: AlarmsDeps): Alarms['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const id = newId();
    const terms = newAlarmTerms(body);
    await requireNamed(tx, organizationId, terms);
    await requireFit(tx, organizationId, terms);
    const row = await store.insertAlarm(tx, organizationId, { ...terms, id, now });
    await engine.edited(tx, { organizationId, after: row, now });
    return {
      body: alarmRecord(row, now),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/alarms/${id}`,
      changes: changed(organizationId, now, undefined, row),
    };
  };
}

function update({ engine }: AlarmsDeps): Alarms['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, alarmId } = params;
    const row = await lock(tx, organizationId, alarmId);
    precondition.check(row.revision);
    requireNotArchived(row);
    const terms = editedAlarmTerms(row, body);
    await requireNamed(tx, organizationId, body);
    await requireFit(tx, organizationId, terms);
    const after = await store.updateAlarm(tx, organizationId, alarmId, terms, now);
    return written(
      organizationId,
      now,
      row,
      await engine.edited(tx, { organizationId, before: row, after, now }),
    );
  };
}

function archive({ engine }: AlarmsDeps): Alarms['archive'] {
  return async ({ params }, { tx, now, precondition }) => {
    const { organizationId, alarmId } = params;
    const row = await lock(tx, organizationId, alarmId);
    precondition.check(row.revision);
    if (row.archivedAt !== null) return { body: undefined, changes: [] };
    const after = await store.setArchived(tx, organizationId, alarmId, now, now);
    const saved = await engine.edited(tx, { organizationId, before: row, after, now });
    return { body: undefined, changes: changed(organizationId, now, row, saved) };
  };
}

function restore({ engine }: AlarmsDeps): Alarms['restore'] {
  return async ({ params }, { tx, now, precondition }) => {
    const { organizationId, alarmId } = params;
    const row = await lock(tx, organizationId, alarmId);
    precondition.check(row.revision);
    if (row.archivedAt === null) return written(organizationId, now, row, row);
    const after = await store.setArchived(tx, organizationId, alarmId, null, now);
    return written(
      organizationId,
      now,
      row,
      await engine.edited(tx, { organizationId, before: row, after, now }),
    );
  };
}

const shelve: Alarms['shelve'] = async ({ params, body }, context) => {
  const { organizationId, alarmId } = params;
  const { tx, now, caller, precondition } = context;
  const row = await lock(tx, organizationId, alarmId);
  precondition.check(row.revision);
  requireNotArchived(row);
  const until = parseFutureMoment('untilDateTime', body.untilDateTime, now);
  const shelving = { until, reason: body.reason, by: caller.name };
  const saved = await store.setShelving(tx, organizationId, alarmId, shelving, now);
  return written(organizationId, now, row, saved);
};

const unshelve: Alarms['unshelve'] = async ({ params }, { tx, now, precondition }) => {
  const { organizationId, alarmId } = params;
  const row = await lock(tx, organizationId, alarmId);
  precondition.check(row.revision);
  if (row.shelvedUntil === null) return written(organizationId, now, row, row);
  const saved = await store.setShelving(tx, organizationId, alarmId, null, now);
  return written(organizationId, now, row, saved);
};

function written(organizationId: string, now: number, before: AlarmRow, saved: AlarmRow) {
  return {
    body: alarmRecord(saved, now),
    revision: saved.revision,
    changes: saved === before ? [] : changed(organizationId, now, before, saved),
  };
}

function requireNotArchived({ archivedAt }: AlarmRow): void {
  if (archivedAt === null) return;
  throw new Failure('CONFLICT', 'The Alarm is archived: restore it before changing it.');
}

async function lock(tx: Transaction, organizationId: string, id: string): Promise<AlarmRow> {
  const row = await store.lockAlarm(tx, organizationId, id);
  if (!row) throw notFound('Alarm');
  return row;
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

/** The fields that people edit; those that readings change are not audited. */
function editableFields(row: AlarmRow, now: number): Fields {
  const { isTriggered: _, triggeredDateTime: __, ...fields } = alarmRecord(row, now);
  return fields;
}

function changed(
  organizationId: string,
  now: number,
  before: AlarmRow | undefined,
  after: AlarmRow,
): Change[] {
  const { id } = after;
  const change = {
    id,
    before: before && editableFields(before, now),
    after: editableFields(after, now),
  };
  return [changeOf(organizationId, 'Alarm', change)];
}
