import type { Clock, Keyring, Outbound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Intake } from '../intake/index.ts';
import { apiToken } from '../networks/index.ts';
import {
  connectedGateways,
  listGateways,
  type TheThingsStackServer,
} from '../the-things-stack/index.ts';
import { type GatewayDevice, listGatewayDevices, type PolledNetwork } from './store.ts';

export interface NetworkPollDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly intake: Pick<Intake, 'receive'>;
}

const DEVICE_BATCH_SIZE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** How long the ids of gateways are believed, which are changed by hand only. */
const LISTED_MS = 600_000;

/** The ids of gateways at the network server, by EUI. */
interface Listed {
  readonly at: number;
  readonly ids: ReadonlyMap<string, string>;
  /** The EUIs that were looked for, also those that it does not know. */
  readonly euis: ReadonlySet<string>;
}

/** Asks one network for the state of its gateways, and remembers it until the network is edited. */
export class NetworkPoll {
  readonly network: PolledNetwork;
  readonly #deps: NetworkPollDeps;
  #listed: Listed | null = null;
  /** The Devices that were reported as lost, and are not reported again. */
  #lost = new Set<string>();

  constructor(deps: NetworkPollDeps, network: PolledNetwork) {
    this.#deps = deps;
    this.network = network;
  }

  /** Fails with an OutboundError or a RefusedCall where the network server does not say. */
  async run(signal: AbortSignal): Promise<void> {
    const devices = await this.#devices();
    if (devices.length === 0) return;
    const server = this.#server(signal);
    const ids = await this.#idsOf(server, devices);
    const known = devices.filter(({ gatewayEui }) => ids.has(gatewayEui));
    const idOf = ({ gatewayEui }: GatewayDevice) => ids.get(gatewayEui) ?? '';
    const connected = await connectedGateways(server, known.map(idOf));
    const lost = new Set<string>();
    for (const device of known) {
      if (signal.aborted) return;
      const isConnected = connected.has(idOf(device));
      if (!isConnected) lost.add(device.deviceId);
      await this.#report(device, isConnected);
    }
    this.#lost = lost;
  }

  async #report(device: GatewayDevice, isConnected: boolean): Promise<void> {
    const { deviceId, gatewayEui } = device;
    if (!isConnected && this.#lost.has(deviceId)) return;
    const event = { kind: 'gateway', gatewayEui, at: null, isConnected, counts: null } as const;
    await this.#deps.intake.receive(this.network, event);
  }

  #server(signal: AbortSignal): TheThingsStackServer {
    const { keyring, outbound } = this.#deps;
    const { apiUrl: url, encryptedApiToken } = this.network;
    const token = apiToken.decrypt(keyring, this.network, encryptedApiToken);
    return { outbound, signal, url, token };
  }

  /** Asked again for a new Device, and from time to time. */
  async #idsOf(
    server: TheThingsStackServer,
    devices: readonly GatewayDevice[],
  ): Promise<Listed['ids']> {
    const now = this.#deps.clock.elapsed();
    const last = this.#listed;
    const isKnown = devices.every(({ gatewayEui }) => last?.euis.has(gatewayEui));
    if (last && isKnown && now - last.at < LISTED_MS) return last.ids;
    const gateways = await listGateways(server);
    const here = gateways.filter(({ isOfCluster }) => isOfCluster);
    const ids = new Map(here.map(({ eui, gatewayId }) => [eui, gatewayId]));
    this.#listed = { at: now, ids, euis: new Set(devices.map(({ gatewayEui }) => gatewayEui)) };
    return ids;
  }

  async #devices(): Promise<GatewayDevice[]> {
    const { storage } = this.#deps;
    const { organizationId, id: networkId } = this.network;
    const devices: GatewayDevice[] = [];
    for (let after = FIRST; ; ) {
      const page = { networkId, after, max: DEVICE_BATCH_SIZE };
      const found = await listGatewayDevices(storage.background, organizationId, page);
      devices.push(...found);
      after = found.at(-1)?.deviceId ?? after;
      if (found.length < DEVICE_BATCH_SIZE) return devices;
    }
  }
}
