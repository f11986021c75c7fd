import { nowMs } from './clock.ts';
import { readStored, writeStored } from './local-storage.ts';

const LEASE_MS = 10_000;
const POLL_INTERVAL_MS = 60;
const MAX_WAIT_MS = 15_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs work while no other tab runs work of this name. The Web Locks API is missing on plain HTTP,
 * which is how a console on a LAN is often reached: there a lease in local storage takes its place.
 */
export async function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`fieldwatch.${name}`, work);
  const owner = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const key = `${name}.lock`;
  await acquireLease(key, owner);
  try {
    return await work();
  } finally {
    if (ownerOf(key) === owner) writeStored(key, null);
  }
}

async function acquireLease(key: string, owner: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_INTERVAL_MS) {
    if (ownerOf(key) === undefined) {
      writeStored(key, `${owner} ${nowMs() + LEASE_MS}`);
      // Another tab may have written at the same time; the last write owns the lease.
      await sleep(POLL_INTERVAL_MS);
      if (ownerOf(key) === owner || readStored(key) === null) return;
    } else {
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

function ownerOf(key: string): string | undefined {
  const [owner, until] = readStored(key)?.split(' ') ?? [];
  return Number(until) > nowMs() ? owner : undefined;
}
