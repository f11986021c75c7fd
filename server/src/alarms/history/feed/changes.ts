import type { AlarmEvent } from '@fieldwatch/contract';
import { type OrderedQueries, prepared, type Queries } from '../../../storage/index.ts';
import { findLogHorizon } from '../../log-order/index.ts';
import { eventRecord } from '../event.ts';
import {
  type ChangeRow,
  findNewestNumbers,
  listChangesAfter,
  type NewestNumbers,
} from './store.ts';

/** A change of an event, and how the event is now. Later ones have greater ids. */
export interface AlarmChange {
  readonly id: string;
  readonly change: 'RAISED' | 'CLEARED' | 'ACKNOWLEDGED' | 'NOTED' | 'ASSIGNED' | 'SUPPRESSED';
  readonly event: AlarmEvent;
}

/** The next changes of an organization. */
export interface ChangePage {
  readonly changes: readonly AlarmChange[];
  /** Later changes are committed, but one before them may still be. */
  readonly isHeldBack: boolean;
  /** All changes up to this number have been read. */
  readonly position: number;
}

/** Where a page begins, and up to where the log is known to be complete. */
export interface PageStart {
  readonly after: number;
  readonly complete: number;
}

/** The changes in the order of their numbers, up to the horizon of the log. */
export async function readChanges(
  storage: OrderedQueries,
  organizationId: string,
  { after, complete }: PageStart,
  limit: number,
): Promise<ChangePage> {
  // An event is announced once both are there, which the other work of storage delays: they are sent
  // at once, and their plans are kept.
  const [horizon, rows] = await storage.inOrder((queries) => {
    const planned = prepared(queries);
    return Promise.all([
      horizonFrom(planned, organizationId, complete),
      listChangesAfter(planned, organizationId, after, limit),
    ]);
  });
  const changes = rows.filter(({ number }) => number < horizon).map(changeOf);
  const isHeldBack = changes.length < rows.length;
  const isLast = !isHeldBack && rows.length < limit;
  const lastRead = Number(changes.at(-1)?.id ?? after);
  return { changes, isHeldBack, position: isLast ? Math.max(after, horizon - 1) : lastRead };
}

export async function readNewestNumbers(
  storage: Queries,
  organizationId: string,
  complete: number,
): Promise<NewestNumbers> {
  const horizon = await horizonFrom(storage, organizationId, complete);
  return await findNewestNumbers(storage, organizationId, horizon);
}

/** A horizon may be lower than one that was found before, which stays valid. */
async function horizonFrom(
  storage: Queries,
  organizationId: string,
  complete: number,
): Promise<number> {
  return Math.max(await findLogHorizon(storage, organizationId), complete + 1);
}

function changeOf({ number, kind, notes, ...event }: ChangeRow): AlarmChange {
  const change = kind === 'NOTE' ? 'NOTED' : kind;
  return { id: String(number), change, event: eventRecord(event, notes) };
}
