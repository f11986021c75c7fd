import type { Ownership } from '../../nodes/index.ts';
import { every, type Periodic } from '../../runtime/index.ts';
import { Session, type SessionDeps } from './session.ts';
import { type ActiveConnection, listAllConnections } from './store.ts';

const RELOAD_MS = 60_000;
const PAGE_SIZE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

export interface PublisherDeps extends SessionDeps {
  readonly ownership: Ownership;
}

/** The sessions of the connections that this node holds: those of its partitions. */
export class Publisher {
  readonly #deps: PublisherDeps;
  readonly #sessions = new Map<string, Session>();
  /** By connection: the end of its session here. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #reloads: Periodic;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    this.#reloads = every(
      RELOAD_MS,
      () => this.#reload(),
      (error) =>
        deps.log.debug({ err: error }, 'connections to Home Assistant could not be loaded'),
    );
    deps.ownership.onChange(() => this.connectionsChanged());
  }

  /** Connections were created, edited or deleted, or belong to another node. */
  connectionsChanged(): void {
    void this.#reloads.run();
  }

  devicesChanged(organizationId: string | null): void {
    for (const session of this.#sessions.values()) {
      const isMeant = [null, session.connection.organizationId].includes(organizationId);
      if (isMeant) session.devicesChanged();
    }
  }

  start(): void {
    this.#reloads.start();
    this.connectionsChanged();
  }

  async stop(): Promise<void> {
    await this.#reloads.stop();
    const stopped = [...this.#sessions.values()].map((session) => session.stop());
    await Promise.all([...stopped, ...this.#ending.values()]);
  }

  async #reload(): Promise<void> {
    const connections = await this.#load();
    for (const [id, session] of this.#sessions) {
      const connection = connections.get(id);
      if (connection && isSame(connection, session.connection) && this.#isOwn(connection)) continue;
      this.#end(id, session, connection);
    }
    for (const connection of connections.values()) {
      if (!this.#isOwn(connection) || this.#sessions.has(connection.id)) continue;
      const before = this.#ending.get(connection.id);
      this.#sessions.set(connection.id, new Session(this.#deps, connection, before));
    }
  }

  /** Nothing waits for a broker that does not answer, except the next session there. */
  #end(id: string, session: Session, connection: ActiveConnection | undefined): void {
    this.#sessions.delete(id);
    const isKept = connection && isSamePlace(connection, session);
    const ended = (isKept ? session.stop() : session.remove()).finally(() => {
      if (this.#ending.get(id) === ended) this.#ending.delete(id);
    });
    this.#ending.set(id, ended);
  }

  #isOwn({ id, isActive }: ActiveConnection): boolean {
    return isActive && this.#deps.ownership.owns(id);
  }

  async #load(): Promise<Map<string, ActiveConnection>> {
    const connections = new Map<string, ActiveConnection>();
    let after = FIRST;
    for (let isLast = false; !isLast; ) {
      const page = await listAllConnections(this.#deps.storage, after, PAGE_SIZE);
      for (const connection of page) connections.set(connection.id, connection);
      after = page.at(-1)?.id ?? after;
      isLast = page.length < PAGE_SIZE;
    }
    return connections;
  }
}

const isSame = (one: ActiveConnection, other: ActiveConnection) => one.revision === other.revision;

/** What is published at one broker under one prefix stays there until it moves away. */
function isSamePlace({ url, discoveryPrefix }: ActiveConnection, { connection }: Session): boolean {
  return url === connection.url && discoveryPrefix === connection.discoveryPrefix;
}
