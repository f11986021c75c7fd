import type { NewId } from '../../../runtime/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import { release } from '../held/index.ts';
import * as store from './store.ts';
import { releaseWaiting } from './waiting/index.ts';

/** Puts what is held behind Devices back into the outbox when it is due. Returns whether anything was. */
export async function releaseBehind(
  tx: Transaction,
  { newId, now, onlineMs }: { newId: NewId; now: number; onlineMs: number },
): Promise<boolean> {
  if (!(await store.isSoleReleaser(tx))) return false;
  const released = await releaseWaiting(tx, now);
  await store.scheduleReturned(tx, { now, onlineMs });
  let isAny = released > 0;
  for (const { organizationId, causeId, name } of await store.listDueCauses(tx, now)) {
    const digest = { id: newId(), kind: 'STILL_OFFLINE', name: name ?? '' } as const;
    await release(tx, { organizationId, causeId, digest });
    isAny = true;
  }
  return isAny;
}
