import { every, type Log, type Periodic } from '../runtime/index.ts';
import type { Peers } from './peers/index.ts';
import { HEARTBEAT_MS } from './steadiness.ts';
import type { NodeRow } from './store.ts';

export interface PeerChecksDeps {
  readonly nodeId: string;
  /** All nodes, as of the last renewal. */
  readonly nodes: () => readonly NodeRow[];
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly log: Log;
}

const METHOD = 'ping';
const TIMEOUT_MS = 2_000;
/** One call may fail because the other node restarts, or is busy. */
const MIN_FAILURES = 2;
const EMPTY = Buffer.alloc(0);

/** Calls the other nodes now and then, and knows which of them cannot be reached from here. */
export class PeerChecks {
  readonly #deps: PeerChecksDeps;
  readonly #checks: Periodic;
  /** Failed calls in a row, by node. */
  #failures: ReadonlyMap<string, number> = new Map();

  constructor(deps: PeerChecksDeps) {
    this.#deps = deps;
    deps.peers.serve(METHOD, async () => EMPTY);
    this.#checks = every(
      HEARTBEAT_MS,
      () => this.check(),
      (error) => deps.log.debug({ err: error }, 'other nodes could not be checked'),
    );
  }

  get unreachable(): readonly string[] {
    return [...this.#failures].flatMap(([id, count]) => (count >= MIN_FAILURES ? [id] : []));
  }

  start(): void {
    this.#checks.start();
  }

  readonly stop = (): Promise<void> => this.#checks.stop();

  async check(): Promise<void> {
    const { nodeId } = this.#deps;
    const others = this.#deps.nodes().filter(({ id, lostAt }) => id !== nodeId && lostAt === null);
    if (others.length === 0 && this.#failures.size === 0) return;
    const counts = await Promise.all(others.map((node) => this.#failuresOf(node)));
    this.#failures = new Map(others.map(({ id }, index) => [id, counts[index] ?? 0]));
  }

  async #failuresOf({ id, address }: NodeRow): Promise<number> {
    const { peers, log } = this.#deps;
    const before = this.#failures.get(id) ?? 0;
    try {
      await peers.call(id, METHOD, EMPTY, TIMEOUT_MS);
    } catch {
      if (before + 1 === MIN_FAILURES)
        log.warn({ nodeId: id, address }, 'a node cannot be reached at its address');
      return before + 1;
    }
    if (before >= MIN_FAILURES) log.info({ nodeId: id, address }, 'a node can be reached again');
    return 0;
  }
}
