import type { Readable } from 'node:stream';
import type { LiveEndReason } from '@fieldwatch/contract';
import type { Clock } from '../../runtime/index.ts';
import type { AlarmAnnouncement } from '../announcement.ts';
import type { LiveLimits } from '../limits.ts';
import { createAlarmQueue } from './alarm-queue.ts';
import { type Filter, passesDevice, passesVariable } from './filter.ts';
import { createOutbox } from './outbox.ts';
import { createReauthorization } from './reauthorization.ts';
import type { Replay } from './replay.ts';
import { endText, type SharedValue } from './text.ts';
import { createWriter } from './writer.ts';

/** The stream of one client. Text is written only when the client has read the previous text. */
export interface Stream {
  readonly readable: Readable;
  putValues(values: ReadonlyMap<string, SharedValue>): void;
  putDevice(deviceId: string, text: string): void;
  putAlarm(alarm: AlarmAnnouncement, text: string): void;
  /** Values were dropped before they came to this stream. */
  putMissed(count: number): void;
  /** Sends a batch if the client is ready; true when another batch is waiting. */
  flush(): boolean;
  tick(now: number): void;
  end(reason: LiveEndReason): void;
  /** Checks the credentials at once. */
  reauthorize(): void;
  /** Begins to send: first this text, then the missed alarm events. */
  begin(text: string, missed: Replay | null): void;
  setFilter(filter: Filter): void;
  filter(): Filter;
}

export interface StreamDeps {
  readonly clock: Clock;
  readonly limits: LiveLimits;
  readonly getsAlarms: boolean;
  /** Whether the caller may still read alarm events; rejects when it may not use the stream. */
  readonly reauthorize: () => Promise<boolean>;
  readonly onFiltered: () => void;
  /** Called when the client is ready and a batch is waiting. */
  readonly onReady: () => void;
  readonly onEnd: (reason: LiveEndReason) => void;
  readonly onClosed: () => void;
}

interface State {
  stage: 'OPENING' | 'OPEN' | 'ENDED';
  filter: Filter;
  getsAlarms: boolean;
  /** The text to send first. */
  first: string;
}

const NOTHING: Filter = { variables: new Set(), devices: new Set() };

export function createStream(deps: StreamDeps): Stream {
  const { clock, limits, getsAlarms } = deps;
  const state: State = { stage: 'OPENING', filter: NOTHING, getsAlarms, first: '' };
  const { writer, outbox, alarms, pump, end, isReady } = createSending(deps, state);
  const reauthorization = createReauthorization({
    everyMs: limits.reauthorizeMs,
    openedAt: clock.now(),
    reauthorize: deps.reauthorize,
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
    putMissed(count) {
      if (state.stage !== 'ENDED') outbox.putMissed(count);
    },
    flush() {
      if (!isReady() || outbox.isEmpty()) return false;
      writer.write(outbox.take());
      return !outbox.isEmpty();
    },
    tick(now) {
      if (state.stage === 'OPENING') return;
      writer.tick(now);
      if (state.stage === 'OPEN') reauthorization.tick(now);
    },
    end,
    reauthorize: reauthorization.run,
    begin(text, missed) {
      if (state.stage === 'ENDED') return;
      state.stage = 'OPEN';
      state.first = text;
      if (missed) alarms.replay(missed);
      pump();
    },
    setFilter(filter) {
      state.filter = filter;
      deps.onFiltered();
    },
    filter: () => state.filter,
  };
}

/** The queues of a stream, and how they are sent. */
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

  /** Sends what does not wait for a batch. */
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

/** Iterates over the smaller set: all values, or the selected Variables. */
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
