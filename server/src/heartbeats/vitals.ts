import { type Clock, Failure, withTimeout } from '../runtime/index.ts';
import { PROBE_LIMIT_MS, type Vitals } from './decision.ts';

/** A synthetic reading that was stored. */
interface StoredReading {
  readonly variable: { readonly seriesId: number };
  readonly value: unknown;
}

export interface VitalsDeps {
  readonly clock: Clock;
  /** Stores a synthetic reading by the way of all others; resolves once it is durable. */
  readonly probe: () => Promise<StoredReading>;
  /** Reads the newest values of series, from memory and from storage. */
  readonly latest: (
    refs: readonly { readonly seriesId: number }[],
  ) => Promise<readonly ({ readonly value: unknown } | null)[]>;
  /** When the alarm ticker and the delivery worker last ran, by the monotonic clock. */
  readonly lastTickAt: () => number;
  readonly lastTurnAt: () => number;
}

/** Examines the server. A probe that has not ended is not repeated, and counts as a failed one. */
export function createVitals(deps: VitalsDeps): () => Promise<Vitals> {
  const { clock, lastTickAt, lastTurnAt } = deps;
  let isProbing = false;

  async function storeAndRead(): Promise<void> {
    isProbing = true;
    try {
      const { variable, value } = await deps.probe();
      const [found] = await deps.latest([variable]);
      if (found?.value !== value) throw new Error('it was not found after its commit');
    } finally {
      isProbing = false;
    }
  }

  async function probeError(): Promise<string | null> {
    if (isProbing) return 'the one before is still in progress';
    try {
      await withTimeout(PROBE_LIMIT_MS, storeAndRead(), (ms) => new Error(`it took ${ms} ms`));
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  return async () => {
    const error = await probeError();
    const elapsed = clock.elapsed();
    return {
      probeError: error,
      tickerAgeMs: elapsed - lastTickAt(),
      workerAgeMs: elapsed - lastTurnAt(),
    };
  };
}

/** Only failures have a text for users; others may hold details of the server. */
function messageOf(error: unknown): string {
  if (error instanceof Failure) return error.code;
  return error instanceof Error && error.message.startsWith('it ') ? error.message : 'it failed';
}
