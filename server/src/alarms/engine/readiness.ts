import { isServiceUnavailable } from '../../runtime/index.ts';

/** Without a tick or an answer of storage for so long, readings could not be taken either. */
export const STALL_MS = 5_000;

/**
 * Since when the server has been able to take readings without a break. Devices that could not
 * deliver keep what they measured, and deliver it once they can.
 */
export class Readiness {
  #since = Number.POSITIVE_INFINITY;
  #isLost = false;
  /** The batches of readings that are being stored, with the times at which they came, in order. */
  readonly #batches = new Set<{ readonly since: number }>();

  get since(): number {
    return this.#since;
  }

  /** The server takes readings from now on. */
  begin(now: number): void {
    this.#isLost = false;
    this.#since = now;
  }

  /** A batch of readings came, and is being stored until the returned function is called. */
  batchBegun(elapsed: number): () => void {
    const batch = { since: elapsed };
    this.#batches.add(batch);
    return () => void this.#batches.delete(batch);
  }

  /** While readings wait for storage, Devices cannot deliver, though storage answers otherwise. */
  checkBatches(elapsed: number, now: number): void {
    const [oldest] = this.#batches;
    if (oldest && elapsed - oldest.since > STALL_MS) this.begin(now);
  }

  /** The clock was set by so much. A suspended machine took no readings, and looks the same. */
  shift(stepMs: number): void {
    this.#since += stepMs;
    if (stepMs > STALL_MS) this.lost();
  }

  /** Readings could not be taken: the process was halted, or storage was unavailable. */
  lost(): void {
    this.#isLost = true;
  }

  /** Does the same for a failure that says so. */
  failed(error: unknown): void {
    if (isServiceUnavailable(error)) this.lost();
  }

  /** Storage answered, after so long: while it does not answer, readings wait too. */
  answered(tookMs: number, now: number): void {
    if (tookMs > STALL_MS) this.lost();
    if (this.#isLost) this.begin(now);
  }
}
