import { isoDateTime } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import * as store from './store.ts';

/** A short message about a window, and the alarm groups whose recipients get it. */
export interface WindowMessage {
  readonly organizationId: string;
  readonly alarmGroupIds: readonly string[];
  /** The severities that the window covers; none means all. */
  readonly severities: store.WindowRow['severities'];
  readonly subject: string;
  readonly lines: readonly string[];
}

/** Has a message sent, as part of the transaction. */
export type SendWindowMessage = (
  tx: Transaction,
  message: WindowMessage,
  now: number,
) => Promise<void>;

/** Acts on a window that began, ended or was changed, as part of the transaction. */
export type OnTurn = (tx: Transaction, organizationId: string, now: number) => Promise<void>;

export interface Turn {
  readonly isEnded: boolean;
  readonly isStarted: boolean;
}

/** The end of the period in progress, as it was and as it is. */
interface Progress {
  readonly before: number | null;
  readonly after: number | null;
}

/** What time has done to a window: another end is that of another period. */
export function turnByTime({ before, after }: Progress): Turn {
  if (before === after) return { isEnded: false, isStarted: false };
  return { isEnded: before !== null, isStarted: after !== null };
}

/** What an edit has done to it: another end is that of the same period. */
export function turnByEdit({ before, after }: Progress): Turn {
  return {
    isEnded: before !== null && after === null,
    isStarted: before === null && after !== null,
  };
}

/** Sends what the window is to report of its turn. A period that nobody saw begin is not reported. */
export async function reportTurn(
  tx: Transaction,
  send: SendWindowMessage,
  organizationId: string,
  window: store.WindowRow,
  { turn, now }: { readonly turn: Turn; readonly now: number },
): Promise<void> {
  const isEndReported = turn.isEnded && window.tellsEnd;
  const isStartReported = turn.isStarted && window.tellsStart;
  if (!isEndReported && !isStartReported) return;
  const alarmGroupIds = await store.listConcernedGroups(tx, organizationId, window.id);
  if (alarmGroupIds.length === 0) return;
  const { severities, reason } = window;
  const common = { organizationId, alarmGroupIds, severities };
  if (isEndReported) {
    const lines = ['Notifications are sent again.'];
    await send(tx, { ...common, subject: `Maintenance ended: ${reason}`, lines }, now);
  }
  if (isStartReported) {
    const lines = startLines(window.openTo);
    await send(tx, { ...common, subject: `Maintenance started: ${reason}`, lines }, now);
  }
}

function startLines(to: number | null): string[] {
  const until = to === null ? 'it ends' : `${isoDateTime(to).slice(0, 16).replace('T', ' ')} UTC`;
  return [`Notifications about what it covers are held back until ${until}.`];
}
