import type { Client, LiveEvent } from '@fieldwatch/client';
import type { OperationId } from '@fieldwatch/contract';
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
  /** Answers of these operations may be old. */
  onStale(operations: ReadonlySet<string> | 'everything'): void;
}

/** What an alarm event changes. */
const ALARM_READS: ReadonlySet<string> = new Set<OperationId>([
  'searchAlarms',
  'retrieveAlarm',
  'listAlarmHistory',
  'retrieveAlarmEvent',
  'listAlarmTimeline',
]);

/** Many alarms at once are read once. */
const GATHER_MS = 300;
/** After a refusal for good, which a change of the session may lift. */
const REFUSED_PAUSE_MS = 15_000;

/** Follows the stream until the answer is called. */
export function followStream(
  client: Client,
  organizationId: string,
  listener: LiveListener,
): () => void {
  const ending = new AbortController();
  void follow(client, organizationId, createTeller(listener, ending.signal), ending.signal);
  return () => ending.abort();
}

async function follow(
  client: Client,
  organizationId: string,
  tell: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of client.followLive({ organizationId }, { signal })) tell(event);
    } catch (error) {
      if (signal.aborted) return;
      tell({ type: 'lost', id: null, data: { error, retryInMs: REFUSED_PAUSE_MS } });
      await new Promise((resolve) => setTimeout(resolve, REFUSED_PAUSE_MS));
    }
  }
}

function createTeller(listener: LiveListener, signal: AbortSignal): (event: LiveEvent) => void {
  let wasLost = false;
  let isGathering = false;
  const tellAlarms = () => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      if (!signal.aborted) listener.onStale(ALARM_READS);
    }, GATHER_MS);
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
        tellAlarms();
        break;
      case 'missed':
        listener.onStale(event.data.alarmEvents ? 'everything' : new Set(['listLatestValues']));
        break;
      case 'lost':
        // An end in order, as when a token runs out, is followed by a new stream at once.
        listener.onState(event.data.error === undefined ? 'connecting' : 'lost');
        wasLost = true;
        break;
    }
  };
}
