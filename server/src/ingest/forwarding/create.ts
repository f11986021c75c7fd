import type { Ownership, Peers } from '../../nodes/index.ts';
import type { Clock, Log } from '../../runtime/index.ts';
import type { DeviceCache } from '../../variables/index.ts';
import type { Submit } from '../message.ts';
import { decodeMessages, decodeOutcomes, encodeMessages, encodeOutcomes } from './codec.ts';
import { FORWARDING_LIMITS, Forwarding } from './forwarding.ts';
import { createReceive } from './receive.ts';

export interface CreateForwardingDeps {
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly ownership: Ownership;
  readonly deviceCache: Pick<DeviceCache, 'handle'>;
  /** Stores a message of a Device that this node acts for. */
  readonly submit: Submit;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The number changes with the format. A node of another version that does not know it refuses the
 * call: the messages wait and are never misread.
 */
const METHOD = 'store-messages-2';
/** The owner retries a commit as long as a message may wait, and answers then. */
const CALL_TIMEOUT_MS = 2 * FORWARDING_LIMITS.timeoutMs;

/** Forwarding in both directions, with the messages that were passed since the start. */
export function createForwarding(deps: CreateForwardingDeps) {
  const { peers } = deps;
  const receive = createReceive(deps);
  let received = 0;
  peers.serve(METHOD, async (body) => {
    const messages = decodeMessages(body);
    received += messages.length;
    return encodeOutcomes(await receive(messages));
  });
  const forwarding = new Forwarding({
    ...deps,
    receive,
    send: async (nodeId, messages) =>
      decodeOutcomes(await peers.call(nodeId, METHOD, encodeMessages(messages), CALL_TIMEOUT_MS)),
  });
  return { forwarding, totals: () => ({ sent: forwarding.forwarded, received }) };
}
