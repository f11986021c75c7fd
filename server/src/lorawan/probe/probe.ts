import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Keyring, Outbound } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { filtersOf } from '../messages/index.ts';
import { brokerPassword } from '../networks/index.ts';
import { Broker } from '../sessions/index.ts';
import { describeMessage } from './describe.ts';
import { findProbed } from './store.ts';

export interface ProbeOptions {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly networkId: string;
  readonly listenMs: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Why a network cannot be probed, in words for the operator. */
export class ProbeFailure extends Error {}

/**
 * Listens to the broker of a network for a while and says what is understood. It has a session of its
 * own, so that the server misses nothing. Nothing is stored.
 */
export async function probeNetwork(options: ProbeOptions): Promise<Record<string, number>> {
  const { storage, clock, keyring, outbound, networkId, listenMs, say, signal } = options;
  const network = await findProbed(storage, networkId);
  if (!network) throw new ProbeFailure(`There is no LoRaWAN network ${networkId}.`);
  const { url, username, kind, encryptedPassword, caCertificate } = network;
  if (url === null) throw new ProbeFailure('The network has no broker: it receives webhooks.');
  const counts: Record<string, number> = {};
  const password = encryptedPassword && brokerPassword.decrypt(keyring, network, encryptedPassword);
  const broker = await Broker.connect(
    outbound,
    {
      ...{ url, username, password, caCertificate, isPersistent: false },
      clientId: `fieldwatch-probe-${networkId.slice(-12)}`,
      version: kind === 'THE_THINGS_STACK_V3' ? 4 : 5,
      onMessage: async (topic, payload) => {
        const described = describeMessage(network, topic, payload, clock.now());
        counts[described.kind] = (counts[described.kind] ?? 0) + 1;
        say(`${described.kind.padEnd(10)} ${described.line}`);
      },
    },
    signal,
  );
  try {
    const filters = filtersOf(network);
    await broker.subscribe(filters);
    say(`Connected to ${url}, subscribed to ${filters.join(', ')}.`);
    const stopped = sleep(listenMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([broker.closed, stopped]);
  } finally {
    await broker.end();
  }
  return counts;
}
