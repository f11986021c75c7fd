import { LEASE_SECONDS, type NodeRow } from './store.ts';

export const HEARTBEAT_MS = 2_000;
export const LEASE_MS = LEASE_SECONDS * 1_000;
/** Renewals further apart than this are an interruption. */
const MAX_GAP_MS = 2 * HEARTBEAT_MS;

/** Since when this node has renewed its lease without an interruption, by the monotonic clock. */
export class Steadiness {
  #since = Number.POSITIVE_INFINITY;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #hasJustJoined = false;

  /** A renewal begins. */
  asked(at: number): void {
    if (at - this.#renewedAt <= MAX_GAP_MS) return;
    this.#since = at;
    this.#hasJustJoined = this.#renewedAt === Number.NEGATIVE_INFINITY;
  }

  /** The renewal that was asked for at this time has succeeded. */
  renewed(askedAt: number): void {
    this.#renewedAt = askedAt;
  }

  /**
   * Whether to take over from a node. After an interruption, and right after it has joined, a node
   * waits for a lease time. But one without sessions is gone for good when this one has just joined:
   * there was no interruption that could have ended them.
   */
  mayTakeOver({ isGone, hasSessions, lostAt }: NodeRow, now: number): boolean {
    if (!isGone || lostAt !== null) return false;
    return now - this.#since >= LEASE_MS || (this.#hasJustJoined && !hasSessions);
  }
}
