import type { EventOf, Operation, Operations } from '@fieldwatch/contract';
import type { Input } from './address.ts';
import { ConnectionError, FieldwatchError } from './errors.ts';
import { createEventReader, type RawEvent } from './event-text.ts';
import { pauseFor } from './time-limit.ts';

export interface FollowOptions {
  /** Ends the stream; the iteration then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Goes on after this event, as if it had been the last one that came. */
  readonly lastEventId?: string;
}

/** The line is lost; the next event is `ready`, once it is found again. */
export interface Lost {
  readonly type: 'lost';
  readonly id: null;
  readonly data: {
    /** What went wrong; undefined when the service ended the stream in order. */
    readonly error: unknown;
    readonly retryInMs: number;
  };
}

export type FollowedEvent<O extends Operation> = EventOf<O> | Lost;

export type LiveEvent = FollowedEvent<Operations['followLive']>;

/** Opens the answer of an operation that sends events. */
export type Open = (
  input: Input,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
) => Promise<Response>;

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 30_000;
/** The service is never silent for a third as long. */
const SILENCE_MS = 45_000;

/**
 * Events for as long as they are wanted. A lost line is opened again after a pause that grows, and
 * alarm events go on where they stopped. Fails when the service refuses for good.
 */
export async function* followEvents<O extends Operation>(
  open: Open,
  input: Input,
  { signal, lastEventId }: FollowOptions,
): AsyncGenerator<FollowedEvent<O>, void, undefined> {
  let lastId = lastEventId ?? null;
  let retryMs = FIRST_RETRY_MS;
  for (let failures = 0; ; failures += 1) {
    let error: unknown;
    try {
      const response = await open(
        input,
        lastId === null ? {} : { 'last-event-id': lastId },
        signal,
      );
      for await (const batch of eventBatchesOf(response, signal)) {
        retryMs = batch.retryMs ?? retryMs;
        for (const event of batch.events) {
          failures = -1;
          lastId = event.id ?? lastId;
          yield parsed<O>(event);
        }
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      if (!isPassing(thrown)) throw thrown;
      error = thrown;
    }
    const retryInMs = retryIn(retryMs, failures, error);
    yield { type: 'lost', id: null, data: { error, retryInMs } };
    await pauseFor(retryInMs, signal);
  }
}

function parsed<O extends Operation>({ type, id, data }: RawEvent): EventOf<O> {
  return { type, id, data: JSON.parse(data) as unknown } as EventOf<O>;
}

/** Others will be refused again. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof FieldwatchError && (error.status === 429 || error.status >= 500);
}

/** Twice as long after each failure, and not all clients at the same moment. */
function retryIn(retryMs: number, failures: number, error: unknown): number {
  const asked = error instanceof FieldwatchError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const grown = Math.min(retryMs * 2 ** Math.max(0, Math.min(failures, 10)), LAST_RETRY_MS);
  return Math.max(asked, Math.round(grown * (0.5 + Math.random() / 2)));
}

/** The text as it comes, understood. A line that is silent for too long is given up. */
async function* eventBatchesOf(response: Response, signal: AbortSignal | undefined) {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  const read = createEventReader();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      yield read(decoder.decode(value, { stream: true }));
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ConnectionError) throw cause;
    throw new ConnectionError('UNREACHABLE', 'The stream broke off.', cause);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function withinSilence<T>(reading: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const silent = new ConnectionError('TIMEOUT', `Nothing came for ${SILENCE_MS} ms.`);
    const timer = setTimeout(() => reject(silent), SILENCE_MS);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
