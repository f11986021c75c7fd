// The membership of a server that has its database to itself, for benchmarks of the parts alone.
import { randomUUID } from 'node:crypto';

const { Membership } = await import('../server/dist/nodes/index.js');
const { createLog, systemClock } = await import('../server/dist/runtime/index.js');

const hooks = {
  adoptJournals: async () => undefined,
  drain: async () => undefined,
  fenced: () => undefined,
};

/** What commits of readings carry. The lease is renewed until the process ends. */
export async function soleFence(storage) {
  const node = { id: randomUUID(), version: '0.0.0', address: '' };
  const log = createLog('silent');
  const report = () => ({});
  const membership = new Membership({ storage, clock: systemClock, log, node, hooks, report });
  await membership.join();
  return membership;
}
