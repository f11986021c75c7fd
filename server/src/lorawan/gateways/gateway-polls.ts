import type { Ownership } from '../../nodes/index.ts';
import { every, type Log, OutboundError, type Periodic } from '../../runtime/index.ts';
import { RefusedCall } from '../the-things-stack/index.ts';
import { NetworkPoll, type NetworkPollDeps } from './network-poll.ts';
import { holdGateways, listPolledNetworks, type PolledNetwork, saveGatewayError } from './store.ts';

export interface GatewayPollsDeps extends NetworkPollDeps {
  readonly log: Log;
  readonly ownership: Ownership;
}

const POLL_MS = 60_000;
/** A timer may be a little early. */
const TOLERANCE_MS = 1_000;
const PAGE_SIZE = 500;
const MAX_CONCURRENT_POLLS = 10;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Several times the interval, so that few polls that fail have to write it. */
const HOLD_MS = 600_000;

interface Polled {
  readonly poll: NetworkPoll;
  /** By the monotonic clock. */
  readonly at: number;
}

/**
 * Asks network servers that publish no state of gateways for it: those of The Things Stack.
 *
 * Invariant: each network is asked by the node that owns its partition, at most once a minute and once
 * after each edit. A poll that fails changes no gateway: those that are online are held.
 */
export class GatewayPolls {
  readonly #deps: GatewayPollsDeps;
  readonly #stopping = new AbortController();
  readonly #runs: Periodic;
  #polled = new Map<string, Polled>();

  constructor(deps: GatewayPollsDeps) {
    this.#deps = deps;
    this.#runs = every(
      POLL_MS,
      () => this.#run(),
      (error) => deps.log.debug({ err: error }, 'LoRaWAN networks could not be loaded'),
    );
    deps.ownership.onChange(() => this.networksChanged());
  }

  /** Networks were created, edited or deleted, or belong to another node. */
  networksChanged(): void {
    void this.#runs.run();
  }

  start(): void {
    this.#runs.start();
    this.networksChanged();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runs.stop();
  }

  async #run(): Promise<void> {
    const networks = await this.#load();
    const now = this.#deps.clock.elapsed();
    const before = this.#polled;
    this.#polled = new Map();
    const due: PolledNetwork[] = [];
    for (const network of networks) {
      const last = before.get(network.id);
      const isSame = last?.poll.network.revision === network.revision;
      const isDue = !isSame || now - last.at >= POLL_MS - TOLERANCE_MS;
      if (isDue) due.push(network);
      const poll = isSame ? last.poll : new NetworkPoll(this.#deps, network);
      this.#polled.set(network.id, { poll, at: isDue ? now : (last?.at ?? now) });
    }
    for (let from = 0; from < due.length; from += MAX_CONCURRENT_POLLS) {
      if (this.#stopping.signal.aborted) return;
      const batch = due.slice(from, from + MAX_CONCURRENT_POLLS);
      await Promise.all(batch.map((network) => this.#poll(network)));
    }
  }

  async #poll(network: PolledNetwork): Promise<void> {
    const { storage, log } = this.#deps;
    try {
      await this.#polled.get(network.id)?.poll.run(this.#stopping.signal);
      await saveGatewayError(storage.background, network, null);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      await this.#failed(network, error).catch((failure) =>
        log.debug({ err: failure }, 'the state of a LoRaWAN network could not be stored'),
      );
    }
  }

  async #failed(network: PolledNetwork, error: unknown): Promise<void> {
    const { storage, clock, log } = this.#deps;
    const { organizationId, id } = network;
    const reason = reasonOf(error);
    log.warn({ network: id, reason }, 'the state of LoRaWAN gateways could not be read');
    const now = clock.now();
    const hold = { until: now + HOLD_MS, unlessUntil: now + HOLD_MS / 2 };
    await holdGateways(storage.background, organizationId, id, hold);
    await saveGatewayError(storage.background, network, reason);
  }

  /** The networks that this node asks. */
  async #load(): Promise<PolledNetwork[]> {
    const { storage, ownership } = this.#deps;
    const networks: PolledNetwork[] = [];
    let after = FIRST;
    for (let isLast = false; !isLast; ) {
      const page = await listPolledNetworks(storage.background, after, PAGE_SIZE);
      networks.push(...page.filter(({ id }) => ownership.owns(id)));
      after = page.at(-1)?.id ?? after;
      isLast = page.length < PAGE_SIZE;
    }
    return networks;
  }
}

/** Errors of other kinds may have secrets in them. */
function reasonOf(error: unknown): string {
  const what = 'The state of the gateways could not be read';
  if (error instanceof OutboundError) return `${what}: ${error.message}.`;
  if (!(error instanceof RefusedCall)) return `${what}: see the log of the server.`;
  if (error.status === 401 || error.status === 403) {
    return `${what}: the API key may not list gateways and view their status.`;
  }
  const said = error.message === '' ? '.' : `: ${error.message}`;
  return `${what}: the network server answered ${error.status}${said}`;
}
