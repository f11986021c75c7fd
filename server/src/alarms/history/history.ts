import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { Failure, invalid, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { notificationIdOf } from '../engine/index.ts';
import { timelineRecord } from './event.ts';
import { findRecords, type Recorded, recordsOf } from './records.ts';
import * as store from './store.ts';

export interface AlarmHistoryDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  /** Called after the commit of whatever people did to events of the organization. */
  readonly onEventsChanged: (organizationId: string) => void;
}

/** The events of Alarms, and what people have to say to them. */
export interface AlarmHistory {
  readonly list: Handler<Operations['listAlarmHistory']>;
  readonly retrieve: Handler<Operations['retrieveAlarmEvent']>;
  readonly timeline: Handler<Operations['listAlarmTimeline']>;
  readonly acknowledge: Handler<Operations['acknowledgeAlarmEvent']>;
  readonly acknowledgeMany: Handler<Operations['acknowledgeAlarmEvents']>;
  readonly createNote: Handler<Operations['createAlarmEventNote']>;
}

export function createAlarmHistory(deps: AlarmHistoryDeps): AlarmHistory {
  const { storage } = deps;
  return {
    list: list(storage),
    async retrieve({ params: { organizationId, eventId } }) {
      return tagged(await findRecords(storage, organizationId, [eventId]));
    },
    async timeline({ params: { organizationId, eventId }, query }) {
      const [row] = await store.findEvents(storage, organizationId, [eventId]);
      if (!row) throw notFound('event');
      const { count, rows } = await store.listTimeline(storage, organizationId, eventId, query);
      return { body: { count, items: rows.map(timelineRecord) } };
    },
    acknowledge: acknowledge(deps),
    acknowledgeMany: acknowledgeMany(deps),
    createNote: createNote(deps),
  };
}

function list(storage: Storage): AlarmHistory['list'] {
  return async ({ params: { organizationId }, body }) => {
    const filter = {
      startTime: body.startTime,
      endTime: body.endTime,
      severities: body.severities ?? [],
      deviceVariableIds: body.deviceVariableIds ?? [],
      assetIds: body.assetIds ?? [],
      locationIds: body.locationIds ?? [],
      alarmGroupIds: body.alarmGroupIds ?? [],
      search: body.search ?? '',
    };
    const { count, rows } = await store.listEvents(storage, organizationId, filter, body);
    const events = await recordsOf(storage, organizationId, rows);
    return { body: { count, items: events.map(({ record }) => record) } };
  };
}

function acknowledge({ newId, onEventsChanged }: AlarmHistoryDeps): AlarmHistory['acknowledge'] {
  return async ({ params: { organizationId, eventId }, body }, context) => {
    const { tx, now, caller, precondition } = context;
    const rows = await store.lockEvents(tx, organizationId, [eventId]);
    const before = await recordsOf(tx, organizationId, rows);
    precondition.check(tagged(before).revision);
    const deed = { note: body.note, actor: caller.name, now };
    tx.afterCommit(() => onEventsChanged(organizationId));
    await acknowledgeAll(tx, organizationId, before, deed, newId);
    const after = await findRecords(tx, organizationId, [eventId]);
    return { ...tagged(after), changes: changed(organizationId, before, after) };
  };
}

function acknowledgeMany({
  newId,
  onEventsChanged,
}: AlarmHistoryDeps): AlarmHistory['acknowledgeMany'] {
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    const ids = [...new Set(body.eventIds.map((id) => id.toLowerCase()))];
    const rows = await store.lockEvents(tx, organizationId, ids);
    const known = new Set(rows.map(({ id }) => id));
    const unknown = body.eventIds.flatMap((id, index) =>
      known.has(id.toLowerCase())
        ? []
        : [{ path: `eventIds[${index}]`, message: `names no event of this organization: ${id}` }],
    );
    if (unknown.length > 0) throw invalid(...unknown);
    const before = await recordsOf(tx, organizationId, rows);
    const deed = { note: body.note, actor: caller.name, now };
    tx.afterCommit(() => onEventsChanged(organizationId));
    await acknowledgeAll(tx, organizationId, before, deed, newId);
    const after = await findRecords(tx, organizationId, ids);
    const byId = new Map(after.map(({ record }) => [record.id, record]));
    const items = ids.flatMap((id) => byId.get(id) ?? []);
    return {
      body: { count: items.length, items },
      changes: changed(organizationId, before, after),
    };
  };
}

function createNote({ newId, onEventsChanged }: AlarmHistoryDeps): AlarmHistory['createNote'] {
  return async ({ params: { organizationId, eventId }, body }, context) => {
    const { tx, now, caller, precondition } = context;
    const rows = await store.lockEvents(tx, organizationId, [eventId]);
    const before = await recordsOf(tx, organizationId, rows);
    precondition.check(tagged(before).revision);
    const deed = { note: body.text, actor: caller.name, now };
    tx.afterCommit(() => onEventsChanged(organizationId));
    await writeNotes(tx, organizationId, before, deed, newId);
    const after = await findRecords(tx, organizationId, [eventId]);
    return {
      ...tagged(after),
      location: `/primary/v1/${organizationId}/alarm-history/${eventId.toLowerCase()}`,
      changes: changed(organizationId, before, after),
    };
  };
}

interface Deed {
  readonly note: string | undefined;
  readonly actor: string;
  readonly now: number;
}

/** What was acknowledged already stays as it is. */
async function acknowledgeAll(
  tx: Transaction,
  organizationId: string,
  events: readonly Recorded[],
  deed: Deed,
  newId: NewId,
): Promise<void> {
  const { note, actor, now } = deed;
  const refused = events.find(({ record }) => !record.isAcknowledgeable);
  if (refused) {
    throw new Failure('CONFLICT', `The event ${refused.record.id} is not one to be acknowledged.`);
  }
  const open = events.filter(({ record }) => record.acknowledgedDateTime === null);
  const eventIds = open.map(({ record }) => record.id);
  if (eventIds.length > 0) {
    const done = { eventIds, actor, now };
    await store.acknowledge(tx, organizationId, done);
    await store.insertLog(tx, organizationId, 'ACKNOWLEDGED', { ...done, detail: null });
    const notices = eventIds.map((eventId) => {
      return { id: notificationIdOf(eventId, 'ACKNOWLEDGED', now), eventId };
    });
    await store.insertAcknowledgedNotices(tx, organizationId, notices, now);
  }
  if (note === undefined) return;
  // Sent again, an acknowledgement does not write its note again.
  const isNew = ({ record }: Recorded) =>
    record.acknowledgedDateTime === null ||
    !record.notes.some(({ author, text }) => author === actor && text === note);
  await writeNotes(tx, organizationId, events.filter(isNew), deed, newId);
}

/** Acknowledges those of the events that are to be acknowledged and were not. */
export async function acknowledgeOpen(
  tx: Transaction,
  organizationId: string,
  eventIds: readonly string[],
  { actor, now }: { readonly actor: string; readonly now: number },
  newId: NewId,
): Promise<void> {
  const rows = await store.lockEvents(tx, organizationId, eventIds);
  const events = await recordsOf(tx, organizationId, rows);
  const open = events.filter(({ record }) => record.isAcknowledgeable);
  await acknowledgeAll(tx, organizationId, open, { note: undefined, actor, now }, newId);
}

async function writeNotes(
  tx: Transaction,
  organizationId: string,
  events: readonly Recorded[],
  { note = '', actor, now }: Deed,
  newId: NewId,
): Promise<void> {
  const eventIds = events.map(({ record }) => record.id);
  if (eventIds.length === 0) return;
  const notes = eventIds.map((eventId) => ({ id: newId(), eventId, text: note }));
  await store.insertNotes(tx, organizationId, notes, { actor, now });
  await store.insertLog(tx, organizationId, 'NOTE', { eventIds, actor, now, detail: note });
}

function tagged([event]: readonly Recorded[]) {
  if (!event) throw notFound('event');
  return { body: event.record, revision: event.revision };
}

/** One entry for each event that is no longer as it was. */
function changed(
  organizationId: string,
  before: readonly Recorded[],
  after: readonly Recorded[],
): Change[] {
  const earlier = new Map(before.map((event) => [event.record.id, event]));
  return after.flatMap(({ record, revision }) => {
    const known = earlier.get(record.id);
    if (known?.revision === revision) return [];
    const change = { id: record.id, before: known?.record, after: record };
    return [changeOf(organizationId, 'AlarmEvent', change)];
  });
}
