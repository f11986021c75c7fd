import type { AlarmEvent } from '@fieldwatch/contract';
import type { Queries } from '../../storage/index.ts';
import { type EventRow, eventRecord, type NoteRow } from './event.ts';
import * as store from './store.ts';

/** An event as callers see it, and its revision. */
export interface Recorded {
  readonly record: AlarmEvent;
  readonly revision: number;
}

export async function findRecords(db: Queries, organizationId: string, ids: readonly string[]) {
  return await recordsOf(db, organizationId, await store.findEvents(db, organizationId, ids));
}

export async function recordsOf(
  db: Queries,
  organizationId: string,
  rows: readonly EventRow[],
): Promise<Recorded[]> {
  if (rows.length === 0) return [];
  const notes = new Map<string, NoteRow[]>();
  const ids = rows.map(({ id }) => id);
  for (const note of await store.listNotes(db, organizationId, ids)) {
    const known = notes.get(note.eventId);
    if (known) known.push(note);
    else notes.set(note.eventId, [note]);
  }
  return rows.map((row) => {
    return { record: eventRecord(row, notes.get(row.id) ?? []), revision: row.revision };
  });
}
