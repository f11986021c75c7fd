import { EpochEnded } from '../../nodes/index.ts';
import { createDeferred } from '../../runtime/index.ts';
import type { DeviceCache } from '../../variables/index.ts';
import type { Submit } from '../message.ts';
import { NotOwner } from '../not-owner.ts';
import type { ForwardedMessage } from './codec.ts';
import { MOVED, type Outcome } from './outcome.ts';

export interface ReceiveDeps {
  readonly submit: Submit;
  readonly deviceCache: Pick<DeviceCache, 'handle'>;
}

/** Stores messages of Devices that this node acts for, in order. Never rejects. */
export type Receive = (messages: readonly ForwardedMessage[]) => Promise<readonly Outcome[]>;

export function createReceive({ submit, deviceCache }: ReceiveDeps): Receive {
  return async (messages) => {
    await load(deviceCache, messages);
    const outcomes: Promise<Outcome>[] = [];
    for (const { deviceId, ...message } of messages) {
      const { promise, resolve } = createDeferred<Outcome>();
      const device = deviceCache.handle(deviceId);
      const waits = submit(
        { ...message, device, isForwarded: true },
        {
          stored: (receipt) => resolve({ kind: 'STORED', receipt }),
          failed: (error) => resolve(isMoved(error) ? MOVED : { kind: 'FAILED', error }),
        },
      );
      outcomes.push(promise);
      if (waits !== undefined) await waits;
    }
    return await Promise.all(outcomes);
  };
}

/** Loads all Devices together: one after the other would be a query each. */
async function load(
  deviceCache: ReceiveDeps['deviceCache'],
  messages: readonly ForwardedMessage[],
): Promise<void> {
  const handles = [...new Set(messages.map(({ deviceId }) => deviceId))].map(deviceCache.handle);
  const missing = handles.filter((handle) => handle.peek() === undefined);
  // A Device that cannot be loaded now is tried again for its message.
  await Promise.allSettled(missing.map((handle) => handle.get()));
}

/** A node that another one has taken over from stores nothing more. */
function isMoved(error: unknown): boolean {
  return error instanceof NotOwner || error instanceof EpochEnded;
}
