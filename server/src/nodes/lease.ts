import { type Clock, temporarilyUnavailable } from '../runtime/index.ts';
import { LEASE_MS } from './steadiness.ts';
import { MIN_SILENCE_SECONDS } from './store.ts';

/** How long before its end a lease no longer counts as held. */
const LEASE_MARGIN_MS = 1_000;
/** No node takes over from one that renewed less than the shortest silence ago; half a second early. */
const UNDISPUTED_MS = MIN_SILENCE_SECONDS * 1_000 - 500;

/** The lease of this node as it counts it: by its monotonic clock, from before it asked. */
export class Lease {
  readonly #clock: Clock;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether this node may commit; the fence decides in the end. */
  get isHeld(): boolean {
    return this.leftMs > 0;
  }

  /** How long the lease still counts as held. */
  get leftMs(): number {
    const heldUntil = this.#askedAt + LEASE_MS - LEASE_MARGIN_MS;
    return Math.max(0, heldUntil - this.#clock.elapsed());
  }

  /** Whether no other node can have taken over, even if the sessions of this one have ended. */
  get #isUndisputed(): boolean {
    return this.#clock.elapsed() < this.#askedAt + UNDISPUTED_MS;
  }

  /** Resolves while no other node can have taken over. Renews when that is not certain. */
  async confirm(renew: () => Promise<void>): Promise<void> {
    if (this.#isUndisputed) return;
    await renew();
    // That may be a renewal which began before this node was halted.
    if (!this.#isUndisputed) throw temporarilyUnavailable('The lease of this node has ended.');
  }

  /** The renewal that was asked for at this time has succeeded. */
  renewed(askedAt: number): void {
    this.#askedAt = askedAt;
  }

  end(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }
}
