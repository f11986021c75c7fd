import { LEASE_SECONDS, MIN_SILENCE_SECONDS, type NodeRow } from './store.ts';

export const HEARTBEAT_MS = 2_000;
export const LEASE_MS = LEASE_SECONDS * 1_000;
/** Renewals further apart than this are an interruption. */
const MAX_GAP_MS = 2 * HEARTBEAT_MS;
/** A node without sessions is gone so long before the end of its lease. */
const EARLY_MS = LEASE_MS - MIN_SILENCE_SECONDS * 1_000;

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
  mayTakeOver(node: NodeRow, now: number): boolean {
    return node.isGone && node.lostAt === null && this.#waitMs(node, now) <= 0;
  }

  /**
   * How long after nodes were listed the first of them may be taken over from, unless it renews its
   * lease; infinite when none is left. Those that may be taken over from already do not count.
   */
  msToTakeover(nodes: readonly NodeRow[], now: number): number {
    const waits = nodes
      .filter(({ lostAt }) => lostAt === null)
      .map((node) => Math.max(msToEnd(node), this.#waitMs(node, now)));
    return Math.min(Number.POSITIVE_INFINITY, ...waits.filter((ms) => ms > 0));
  }

  /** How long this node still takes over from no other; at most 0 when it may. */
  #waitMs({ hasSessions }: NodeRow, now: number): number {
    return this.#hasJustJoined && !hasSessions ? 0 : this.#since + LEASE_MS - now;
  }
}

/** How long after it was listed a node is gone, by the clock of the database; 0 when it is already. */
function msToEnd({ isGone, hasSessions, leaseSeconds }: NodeRow): number {
  return isGone ? 0 : Math.max(1, leaseSeconds * 1_000 - (hasSessions ? 0 : EARLY_MS));
}
