import type { Ownership } from '../../nodes/index.ts';
import { every, type Periodic } from '../../runtime/index.ts';
import { Session, type SessionDeps } from './session.ts';
import { type ActiveNetwork, listActiveNetworks } from './store.ts';

const RELOAD_MS = 60_000;
const PAGE_SIZE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

export interface SessionsDeps extends SessionDeps {
  readonly ownership: Ownership;
}

/** The sessions of the networks that this node holds: those of its partitions. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #sessions = new Map<string, Session>();
  /** By network: the end of its session here. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #reloads: Periodic;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#reloads = every(
      RELOAD_MS,
      () => this.#reload(),
      (error) => deps.log.debug({ err: error }, 'LoRaWAN networks could not be loaded'),
    );
    deps.ownership.onChange(() => this.networksChanged());
  }

  /** Networks were created, edited or deleted, or belong to another node. */
  networksChanged(): void {
    void this.#reloads.run();
  }

  /** How many sessions of this node are in which state. */
  states(): { readonly connected: number; readonly disconnected: number } {
    const sessions = [...this.#sessions.values()];
    const connected = sessions.filter(({ isConnected }) => isConnected).length;
    return { connected, disconnected: sessions.length - connected };
  }

  start(): void {
    this.#reloads.start();
    this.networksChanged();
  }

  async stop(): Promise<void> {
    await this.#reloads.stop();
    const stopped = [...this.#sessions.values()].map((session) => session.stop());
    await Promise.all([...stopped, ...this.#ending.values()]);
  }

  async #reload(): Promise<void> {
    const networks = await this.#load();
    for (const [id, session] of this.#sessions) {
      if (networks.get(id)?.revision !== session.network.revision) this.#end(id, session);
    }
    for (const network of networks.values()) {
      if (this.#sessions.has(network.id)) continue;
      const before = this.#ending.get(network.id);
      this.#sessions.set(network.id, new Session(this.#deps, network, before));
    }
  }

  #end(id: string, session: Session): void {
    this.#sessions.delete(id);
    const ended = session.stop().finally(() => {
      if (this.#ending.get(id) === ended) this.#ending.delete(id);
    });
    this.#ending.set(id, ended);
  }

  /** The networks that this node holds. */
  async #load(): Promise<Map<string, ActiveNetwork>> {
    const { storage, ownership } = this.#deps;
    const networks = new Map<string, ActiveNetwork>();
    let after = FIRST;
    for (let isLast = false; !isLast; ) {
      const page = await listActiveNetworks(storage, after, PAGE_SIZE);
      for (const network of page) if (ownership.owns(network.id)) networks.set(network.id, network);
      after = page.at(-1)?.id ?? after;
      isLast = page.length < PAGE_SIZE;
    }
    return networks;
  }
}
