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

const METHOD = 'store-messages';
/** The owner retries a commit as long as a message may wait, and answers then. */
const CALL_TIMEOUT_MS = 2 * FORWARDING_LIMITS.timeoutMs;

/** Forwarding in both directions. */
export function createForwarding(deps: CreateForwardingDeps): Forwarding {
  const { peers } = deps;
  const receive = createReceive(deps);
  peers.serve(METHOD, async (body) => encodeOutcomes(await receive(decodeMessages(body))));
  return new Forwarding({
    ...deps,
    receive,
    send: async (nodeId, messages) =>
      decodeOutcomes(await peers.call(nodeId, METHOD, encodeMessages(messages), CALL_TIMEOUT_MS)),
  });
}
