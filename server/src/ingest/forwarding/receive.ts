import { EpochEnded } from '../../nodes/index.ts';
import { createDeferred } from '../../runtime/index.ts';
import type { DeviceCache } from '../../variables/index.ts';
import { LaterTime } from '../later-time.ts';
import type { Submit } from '../message.ts';
import { NotOwner } from '../not-owner.ts';
import type { ForwardedMessage } from './codec.ts';
import { MOVED, type Outcome, UNKNOWN } from './outcome.ts';

export interface ReceiveDeps {
  readonly submit: Submit;
  readonly deviceCache: Pick<DeviceCache, 'handle'>;
}

/** Stores messages of Devices that this node acts for, in order. Never rejects. */
export type Receive = (messages: readonly ForwardedMessage[]) => Promise<readonly Outcome[]>;

export function createReceive({ submit, deviceCache }: ReceiveDeps): Receive {
  return async (messages) => {
    await load(deviceCache, messages);
    const outcomes: Outcome[] = [];
    const { promise: settled, resolve } = createDeferred<void>();
    let open = messages.length;
    const conclude = (index: number, outcome: Outcome) => {
      outcomes[index] = outcome;
      open -= 1;
      if (open === 0) resolve();
    };
    if (open === 0) resolve();
    /** Devices with a message that has to be sent again: those that follow come after it. */
    const held = new Set<string>();
    for (const [index, message] of messages.entries()) {
      const { deviceId, suffix, payload, receivedAt, showsPresence, time: forwarded } = message;
      if (held.has(deviceId)) {
        conclude(index, MOVED);
        continue;
      }
      const device = deviceCache.handle(deviceId);
      const waits = submit(
        { device, suffix, payload, receivedAt, showsPresence, forwarded },
        {
          stored: (receipt) => conclude(index, { kind: 'STORED', receipt }),
          failed(error) {
            if (error instanceof LaterTime) held.add(deviceId);
            conclude(index, failedOutcome(error));
          },
        },
      );
      if (waits !== undefined) await waits;
    }
    await settled;
    return outcomes;
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

function failedOutcome(error: unknown): Outcome {
  if (error instanceof NotOwner) return MOVED;
  if (error instanceof LaterTime) return { kind: 'RETIMED', at: error.at };
  // A node that another one has taken over from stores nothing more, but may have done so just before.
  return error instanceof EpochEnded ? UNKNOWN : { kind: 'FAILED', error };
}
