import { faultsOfSessions, Subscriber } from '../subscribers.ts';
import type { AlarmsVerdict } from '../verdict.ts';
import { measured, type NodesHarness } from './harness.ts';

/** Follows the alarm events of the whole installation at each node. */
export function followAt(harness: NodesHarness): Subscriber[] {
  return harness.cluster.nodes.map(
    ({ name, mqtt, timeline }) =>
      new Subscriber({ ...harness, mqtt, timeline }, { name, version: 5, slownessMs: 0 }),
  );
}

const MARGIN_MS = 3_000;

/** A node that was halted or killed may have acknowledged a reading, and its event may wait. */
function isNearFault({ faults }: NodesHarness, at: number): boolean {
  return faults.some(({ from, to }) => at >= from - MARGIN_MS && at <= to + MARGIN_MS);
}

/**
 * Changes that a follower should have got and did not. Measures how long after the acknowledgement
 * of a reading the events that it caused reached every node.
 */
export function faultsOfFollowers(
  harness: NodesHarness,
  followers: readonly Subscriber[],
  { changes }: Pick<AlarmsVerdict, 'changes'>,
): string[] {
  const sessions = followers.flatMap((follower) => follower.sessions);
  for (const { name, to } of changes) {
    for (const { received } of sessions) {
      const [at] = received.get(name) ?? [];
      if (at === undefined) continue;
      const limitMs = isNearFault(harness, to) ? undefined : harness.limits.liveMs;
      measured(harness, 'acknowledged to seen in a live stream', Math.max(0, at - to), limitMs);
    }
  }
  return followers.flatMap((follower) => faultsOfSessions(follower, changes));
}
