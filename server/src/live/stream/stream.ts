import type { Readable } from 'node:stream';
import type { LiveEndReason } from '@fieldwatch/contract';
import type { Clock } from '../../runtime/index.ts';
import type { AlarmAnnouncement } from '../announcement.ts';
import type { LiveLimits } from '../limits.ts';
import { createAlarmQueue } from './alarm-queue.ts';
import { type Filter, passesDevice, passesVariable } from './filter.ts';
import { createOutbox } from './outbox.ts';
import { createRecheck } from './reauthorization.ts';
import type { Resumption } from './replay.ts';
import { endText, type SharedValue } from './text.ts';
import { createWriter } from './writer.ts';

/** One caller's stream. Text goes into it only when its reader has taken what came before. */
export interface Stream {
  readonly readable: Readable;
  putValues(values: ReadonlyMap<string, SharedValue>): void;
  putDevice(deviceId: string, text: string): void;
  putAlarm(alarm: AlarmAnnouncement, text: string): void;
  /** Sends a batch if the reader is ready; true when he could soon be sent another. */
  flush(): boolean;
  tick(now: number): void;
  end(reason: LiveEndReason): void;
  /** Looks at the credentials at once. */
  reauthorize(): void;
  /** Begins to send: first this text, then the alarm events that were missed. */
  begin(text: string, missed: Resumption | null): void;
  setFilter(filter: Filter): void;
  filter(): Filter;
}

export interface StreamDeps {
  readonly clock: Clock;
  readonly limits: LiveLimits;
  readonly getsAlarms: boolean;
  /** Whether the caller may still read alarm events; rejects when it may not even listen. */
  readonly readmit: () => Promise<boolean>;
  readonly onFiltered: () => void;
  /** The reader is ready and a batch waits for him. */
  readonly onReady: () => void;
  readonly onEnd: (reason: LiveEndReason) => void;
  readonly onClosed: () => void;
}

interface State {
  stage: 'OPENING' | 'OPEN' | 'ENDED';
  filter: Filter;
  getsAlarms: boolean;
  /** What goes before anything else. */
  first: string;
}

const NOTHING: Filter = { variables: new Set(), devices: new Set() };

export function createStream(deps: StreamDeps): Stream {
  const { clock, limits, getsAlarms } = deps;
  const state: State = { stage: 'OPENING', filter: NOTHING, getsAlarms, first: '' };
  const { writer, outbox, alarms, pump, end, isReady } = createSending(deps, state);
  const recheck = createRecheck({
    everyMs: limits.recheckMs,
    openedAt: clock.now(),
    readmit: deps.readmit,
    onAlarmsRefused() {
      state.getsAlarms = false;
      alarms.clear();
    },
    onRefused: () => end('CREDENTIALS_ENDED'),
  });
  return {
    readable: writer.readable,
    putValues(values) {
      if (state.stage === 'ENDED') return;
      for (const value of passing(values, state.filter)) outbox.putValue(value);
    },
    putDevice(deviceId, text) {
      if (state.stage === 'ENDED' || !passesDevice(state.filter, deviceId)) return;
      outbox.putDevice(deviceId, text);
    },
    putAlarm(alarm, text) {
      if (state.stage === 'ENDED') return;
      if (alarms.put(alarm, text)) pump();
      else end('TOO_SLOW');
    },
    flush() {
      if (!isReady() || outbox.isEmpty()) return false;
      writer.write(outbox.take());
      return !outbox.isEmpty();
    },
    tick(now) {
      if (state.stage === 'OPENING') return;
      writer.tick(now);
      if (state.stage === 'OPEN') recheck.tick(now);
    },
    end,
    reauthorize: recheck.run,
    begin(text, missed) {
      if (state.stage === 'ENDED') return;
      state.stage = 'OPEN';
      state.first = text;
      if (missed) alarms.resume(missed);
      pump();
    },
    setFilter(filter) {
      state.filter = filter;
      deps.onFiltered();
    },
    filter: () => state.filter,
  };
}

/** What waits for the reader, and how it gets to him. */
function createSending({ clock, limits, onReady, onEnd, onClosed }: StreamDeps, state: State) {
  const outbox = createOutbox(limits);
  const alarms = createAlarmQueue({
    maxWaiting: limits.maxWaitingAlarms,
    passes: ({ event: { deviceVariableId: id, deviceId } }) =>
      state.getsAlarms && passesVariable(state.filter, id, deviceId),
    onLoaded: pump,
    onFailed: () => end('STORAGE_UNAVAILABLE'),
  });
  const writer = createWriter({
    clock,
    limits,
    onReady: pump,
    onClosed() {
      drop();
      onClosed();
    },
  });
  const isReady = () => state.stage === 'OPEN' && writer.isReady();

  function drop(): void {
    state.stage = 'ENDED';
    outbox.clear();
    alarms.clear();
  }

  /** Sends what may not wait for a batch. */
  function pump(): void {
    if (!isReady()) return;
    const text = state.first + alarms.take();
    state.first = '';
    if (text !== '') writer.write(text);
    else if (!outbox.isEmpty()) onReady();
  }

  function end(reason: LiveEndReason): void {
    if (state.stage === 'ENDED') return;
    drop();
    onEnd(reason);
    writer.finish(state.first + endText(reason));
  }

  return { outbox, alarms, writer, pump, end, isReady };
}

/** Goes through the fewer: all values, or the Variables that are asked for. */
function* passing(
  values: ReadonlyMap<string, SharedValue>,
  filter: Filter,
): Generator<SharedValue, void> {
  const { variables, devices } = filter;
  if (variables === null && devices === null) {
    yield* values.values();
  } else if (variables !== null && variables.size < values.size) {
    for (const id of variables) {
      const value = values.get(id);
      if (value) yield value;
    }
  } else {
    for (const [id, value] of values) {
      if (passesVariable(filter, id, value.reading.variable.deviceId)) yield value;
    }
  }
}
