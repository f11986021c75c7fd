// The membership of a server that has its database to itself, for benchmarks of the parts alone.
import { randomUUID } from 'node:crypto';

const { Membership } = await import('../server/dist/nodes/index.js');
const { createReadings } = await import('../server/dist/readings/index.js');
const { createLog, systemClock } = await import('../server/dist/runtime/index.js');

const hooks = {
  adoptJournals: async () => undefined,
  drain: async () => undefined,
  fenced: () => undefined,
};

const NO_PEERS = {
  serve: () => undefined,
  call: () => Promise.reject(new Error('there is no other node')),
};

/**
 * Joins as the only node. `open` opens the history; `leave` ends the lease, so that a server can be
 * started on the same database.
 */
export async function joinAlone(storage, limits = {}) {
  const node = { id: randomUUID(), version: '0.0.0', address: '' };
  const common = { storage, clock: systemClock, log: createLog('warn') };
  const fence = new Membership({ ...common, node, hooks, report: () => ({}) });
  await fence.join();
  await fence.start();
  const { ownership } = fence;
  const isClockTrusted = () => true;
  const deps = {
    ...common,
    fence,
    isKnownToAll: () => true,
    isAlone: () => true,
    ownership,
    peers: NO_PEERS,
    isClockTrusted,
    limits,
  };
  return { open: () => createReadings(deps), leave: () => fence.stop(), fence };
}

/** The first readings of each Variable, by column. */
export async function pagesOf(readings, variables, range, take) {
  return (await readings.openHistory(variables, range)).raw(range, take);
}

/** The chart of each Variable. */
export async function chartsOf(readings, variables, range, buckets) {
  return (await readings.openHistory(variables, range)).buckets(range, buckets);
}

/** A page as the interface answers it. */
export function rawPage({ count, parts, nextStartTime }, variableId) {
  return { variableId, count, parts, nextStartTime, isIncomplete: false };
}
