import type { AlarmEvent } from '@fieldwatch/contract';
import type { Queries } from '../../storage/index.ts';
import { type EventRow, eventRecord, type NoteRow } from './event.ts';
import * as store from './store.ts';

/** An event as callers see it, and its revision. */
export interface Recorded {
  readonly record: AlarmEvent;
  readonly revision: number;
}

/** In one statement: the notes are those of the revision. */
export async function findRecords(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<Recorded[]> {
  const names = ids.map((eventId) => ({ organizationId, eventId }));
  const rows = await store.listNamedEvents(db, names);
  return rows.map(({ notes, ...row }) => {
    return { record: eventRecord(row, notes), revision: row.revision };
  });
}

/** Events of any organizations as callers see them, by their ids. */
export async function findEventRecords(
  db: Queries,
  names: readonly store.EventName[],
): Promise<ReadonlyMap<string, AlarmEvent>> {
  if (names.length === 0) return new Map();
  const rows = await store.listNamedEvents(db, names);
  return new Map(rows.map(({ notes, ...row }) => [row.id, eventRecord(row, notes)]));
}

export async function recordsOf(
  db: Queries,
  organizationId: string,
  rows: readonly EventRow[],
): Promise<Recorded[]> {
  const ids = rows.map(({ id }) => id);
  return withNotes(rows, await store.listNotes(db, organizationId, ids));
}

function withNotes(rows: readonly EventRow[], notes: readonly NoteRow[]): Recorded[] {
  const notesOf = new Map<string, NoteRow[]>();
  for (const note of notes) {
    const known = notesOf.get(note.eventId);
    if (known) known.push(note);
    else notesOf.set(note.eventId, [note]);
  }
  return rows.map((row) => {
    return { record: eventRecord(row, notesOf.get(row.id) ?? []), revision: row.revision };
  });
}
