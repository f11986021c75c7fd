import type { LiveEvent } from '@fieldwatch/client';
import type { AlarmChange, OperationId } from '@fieldwatch/contract';
import { nowMs } from '../runtime/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import type { SessionClient } from '../session/index.ts';
import type { LiveValue } from './values.ts';

export type LiveState = 'connecting' | 'live' | 'lost';

export interface LiveListener {
  onState(state: LiveState): void;
  onReadings(readings: readonly (LiveValue & { readonly variableId: string })[]): void;
  onDevice(device: {
    readonly deviceId: string;
    readonly isOnline: boolean;
    readonly lastSeenDateTime: string | null;
  }): void;
  onAlarm(change: AlarmChange, event: AlarmEvent): void;
  /** Replies of these operations may be stale. */
  onStale(operations: ReadonlySet<string> | 'everything'): void;
}

/** The operations whose replies an alarm event changes. */
const ALARM_READS: ReadonlySet<string> = new Set<OperationId>([
  'searchAlarms',
  'retrieveAlarm',
  'listAlarmHistory',
  'retrieveAlarmEvent',
  'listAlarmTimeline',
  'listAlarmAssignments',
  'listSites',
]);

/** Alarms that arrive within this time cause one read. */
const ALARM_INVALIDATION_DELAY_MS = 300;
/** During an alarm flood, lists of alarms are read again at most this often. */
const MIN_INVALIDATION_INTERVAL_MS = 1_500;
/** The pause after a refused stream; a change of the session may allow it again. */
const RETRY_DELAY_MS = 15_000;

/** Follows the stream until the returned function is called. */
export function followStream(
  client: SessionClient,
  organizationId: string,
  listener: LiveListener,
): () => void {
  const ending = new AbortController();
  void follow(client, organizationId, createDispatcher(listener, ending.signal), ending.signal);
  return () => ending.abort();
}

async function follow(
  client: SessionClient,
  organizationId: string,
  dispatch: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of client.followLive({ organizationId }, { signal })) dispatch(event);
    } catch (error) {
      if (signal.aborted) return;
      dispatch({ type: 'lost', id: null, data: { error, retryInMs: RETRY_DELAY_MS } });
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}

function createDispatcher(listener: LiveListener, signal: AbortSignal): (event: LiveEvent) => void {
  let wasLost = false;
  let isGathering = false;
  let invalidatedAtMs = Number.NEGATIVE_INFINITY;
  const invalidateAlarms = () => {
    if (isGathering) return;
    isGathering = true;
    const sinceMs = nowMs() - invalidatedAtMs;
    const delayMs = Math.max(ALARM_INVALIDATION_DELAY_MS, MIN_INVALIDATION_INTERVAL_MS - sinceMs);
    setTimeout(() => {
      isGathering = false;
      invalidatedAtMs = nowMs();
      if (!signal.aborted) listener.onStale(ALARM_READS);
    }, delayMs);
  };
  return (event) => {
    switch (event.type) {
      case 'ready':
        listener.onState('live');
        if (wasLost) listener.onStale('everything');
        wasLost = false;
        break;
      case 'readings':
        listener.onReadings(event.data);
        break;
      case 'device':
        listener.onDevice(event.data);
        break;
      case 'alarm':
        // The stream carries the whole record, although its schema names only the ids.
        listener.onAlarm(event.data.change, event.data.event as AlarmEvent);
        invalidateAlarms();
        break;
      case 'missed':
        listener.onStale(event.data.alarmEvents ? 'everything' : new Set(['listLatestValues']));
        break;
      case 'lost':
        // After an orderly end, such as an expired token, the client reconnects immediately.
        listener.onState(event.data.error === undefined ? 'connecting' : 'lost');
        wasLost = true;
        break;
    }
  };
}
