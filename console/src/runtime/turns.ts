import { nowMs } from './clock.ts';
import { keep, readKept } from './kept.ts';

const LEASE_MS = 10_000;
const LOOK_AGAIN_MS = 60;
const LIMIT_MS = 15_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs work while no other tab runs work of this name. Browsers have locks for this, but not on plain
 * HTTP, which is how a console on a LAN is often reached: a lease in shared storage does it there.
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`fieldwatch.${name}`, work);
  const mine = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const slot = `${name}.turn`;
  await takeTurn(slot, mine);
  try {
    return await work();
  } finally {
    if (ownerOf(slot) === mine) keep(slot, null);
  }
}

async function takeTurn(slot: string, mine: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < LIMIT_MS; waitedMs += LOOK_AGAIN_MS) {
    if (ownerOf(slot) === undefined) {
      keep(slot, `${mine} ${nowMs() + LEASE_MS}`);
      // Another tab may have written at the same moment; the last one has it.
      await sleep(LOOK_AGAIN_MS);
      if (ownerOf(slot) === mine || readKept(slot) === null) return;
    } else {
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

function ownerOf(slot: string): string | undefined {
  const [owner, until] = readKept(slot)?.split(' ') ?? [];
  return Number(until) > nowMs() ? owner : undefined;
}
