import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Keyring, type Outbound, OutboundError } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { filtersOf } from '../messages/index.ts';
import { brokerPassword } from '../networks/index.ts';
import { Broker, type BrokerOptions } from '../sessions/index.ts';
import { adviceOf } from './advice.ts';
import { describeMessage } from './describe.ts';
import { findProbed, listUnknown, type ProbedNetwork } from './store.ts';

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

const NO_BROKER =
  'The network has no broker: it receives webhooks. The console shows its last event; the network server shows which webhooks failed.';

/** Why a network cannot be probed, in words for the operator. */
export class ProbeFailure extends Error {}

/**
 * Listens to the broker of a network for a while and says what is understood, and what to do about it. It
 * has a session of its own, so that the server misses nothing. Nothing is stored.
 */
export async function probeNetwork(options: ProbeOptions): Promise<Record<string, number>> {
  const { storage, clock, networkId, say } = options;
  const network = await findProbed(storage, networkId);
  if (!network) throw new ProbeFailure(`There is no LoRaWAN network ${networkId}.`);
  if (network.url === null) throw new ProbeFailure(NO_BROKER);
  const counts: Record<string, number> = {};
  const devEuis = new Set<string>();
  let unacknowledged = 0;
  const onMessage: BrokerOptions['onMessage'] = async (topic, payload, { isAcknowledged }) => {
    const { kind, line, devEui } = describeMessage(network, topic, payload, clock.now());
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (devEui !== null) devEuis.add(devEui);
    if (devEui !== null && !isAcknowledged) unacknowledged += 1;
    say(`${kind.padEnd(10)} ${line}`);
  };
  const hasEnded = await listen(options, network, onMessage);
  const unknown = await listUnknown(storage, network.organizationId, [...devEuis]);
  const { isActive } = network;
  const probed = { counts, unacknowledged, unknown, isActive, hasEnded };
  for (const line of adviceOf(network, probed)) say(line);
  return counts;
}

function unreachable(url: string | null, { message }: OutboundError): string {
  return [
    `The broker ${url} cannot be used: ${message}.`,
    'Check its address, the user name and the password of the network;',
    'an address in a private network must be listed in FIELDWATCH_OUTBOUND_ALLOW.',
  ].join(' ');
}

/** True where the broker ended the connection before the time was over. */
async function listen(
  { outbound, keyring, networkId, listenMs, say, signal }: ProbeOptions,
  network: ProbedNetwork,
  onMessage: BrokerOptions['onMessage'],
): Promise<boolean> {
  const { url, username, kind, encryptedPassword, caCertificate } = network;
  const password = encryptedPassword && brokerPassword.decrypt(keyring, network, encryptedPassword);
  const access = { url: url ?? '', username, password, caCertificate, isPersistent: false };
  const clientId = `fieldwatch-probe-${networkId.slice(-12)}`;
  const version = kind === 'THE_THINGS_STACK_V3' ? 4 : 5;
  const settings = { ...access, clientId, version, onMessage } as const;
  const broker = await Broker.connect(outbound, settings, signal).catch((error: unknown) => {
    throw error instanceof OutboundError ? new ProbeFailure(unreachable(url, error)) : error;
  });
  try {
    const filters = filtersOf(network);
    await broker.subscribe(filters);
    say(`Connected to ${url}, subscribed to ${filters.join(', ')}.`);
    say(`Listening for ${listenMs / 1_000} s. Payloads are shown without the codecs of Devices.`);
    const stopped = sleep(listenMs, false, { signal }).catch(() => false);
    return await Promise.race([broker.closed.then(() => true), stopped]);
  } finally {
    await broker.end();
  }
}
