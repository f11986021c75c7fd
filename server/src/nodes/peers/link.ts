import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, withTimeout } from '../../runtime/index.ts';
import { Connection, type Exchange } from './connection.ts';
import type { PeerLimits } from './limits.ts';
import { PeerSilent, PeerUnreachable } from './peer-failures.ts';
import { isOtherKey, OTHER_KEY } from './protocol.ts';
import { type Turn, Turns } from './turns.ts';

export interface LinkDeps {
  readonly callerId: string;
  readonly targetId: string;
  /** Where the other node is now; undefined when it is not known. */
  readonly address: () => string | undefined;
  readonly key: Buffer;
  readonly log: Log;
  readonly limits: PeerLimits;
}

/** A call on its way: it waits for its turn and for the connection, and is sent. */
interface Call {
  readonly method: string;
  readonly body: Buffer;
  turn: Turn | null;
  exchange: Exchange | undefined;
  isOver: boolean;
}

/**
 * The way to one other node. There is at most one connection that takes calls, opened when a call
 * needs it. After a failed attempt calls wait before they cause the next one.
 */
export class Link {
  readonly #deps: LinkDeps;
  readonly #turns: Turns;
  /** The one that takes calls, and earlier ones whose calls are not answered yet. */
  readonly #connections = new Set<Connection>();
  #connection: Connection | undefined;
  #failure:
    | { readonly address: string; readonly backoffMs: number; over: Promise<void> }
    | undefined;
  #isStopped = false;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
    this.#turns = new Turns(deps.limits);
  }

  async call(method: string, body: Buffer, timeoutMs: number): Promise<Buffer> {
    const call: Call = { method, body, turn: null, exchange: undefined, isOver: false };
    try {
      return await withTimeout(timeoutMs, this.#run(call), () =>
        call.exchange ? new PeerSilent() : new PeerUnreachable(),
      );
    } finally {
      call.isOver = true;
      call.exchange?.cancel();
      if (call.turn) this.#turns.leave(call.turn);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.disconnect();
  }

  /** Ends the calls on the way at once. */
  disconnect(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  async #run(call: Call): Promise<Buffer> {
    await this.#takeTurn(call);
    const connection = await this.#connect();
    if (call.isOver || !connection.isUsable) throw new PeerUnreachable();
    call.exchange = connection.send(call.method, call.body);
    try {
      return await call.exchange.answer;
    } finally {
      // A stream that is over must not be cancelled: HTTP/2 ends connections with many resets.
      call.exchange = undefined;
    }
  }

  #takeTurn(call: Call): Promise<void> {
    return new Promise((resolve, reject) => {
      call.turn = this.#turns.enter(call.body.length, resolve);
      if (!call.turn) reject(new PeerUnreachable(new Error('too many calls wait')));
    });
  }

  async #connect(): Promise<Connection> {
    const failed = this.#failure;
    if (failed && failed.address === this.#deps.address() && !this.#usable(failed.address))
      await failed.over;
    const address = this.#deps.address();
    if (!address) throw new PeerUnreachable(new Error('the node has no address'));
    if (this.#isStopped) throw new PeerUnreachable(new Error('this node stops'));
    const connection = this.#usable(address) ?? this.#open(address);
    try {
      await connection.opened;
    } catch (error) {
      throw new PeerUnreachable(error);
    }
    return connection;
  }

  #usable(address: string): Connection | undefined {
    const connection = this.#connection;
    return connection?.address === address && connection.isUsable ? connection : undefined;
  }

  #open(address: string): Connection {
    this.#connection?.close();
    const connection = new Connection({
      ...this.#deps,
      address,
      onClose: () => this.#connections.delete(connection),
    });
    this.#connection = connection;
    this.#connections.add(connection);
    connection.opened.then(
      () => {
        this.#failure = undefined;
      },
      (error: unknown) => this.#noteFailure(address, error),
    );
    return connection;
  }

  #noteFailure(address: string, error: unknown): void {
    const { log, targetId, limits } = this.#deps;
    const earlierMs = this.#failure?.address === address ? this.#failure.backoffMs : 0;
    const backoffMs = Math.min(limits.maxBackoffMs, Math.max(limits.minBackoffMs, 2 * earlierMs));
    this.#failure = { address, backoffMs, over: sleep(backoffMs, undefined, { ref: false }) };
    if (isOtherKey(error)) log.warn({ nodeId: targetId, address }, OTHER_KEY);
    else log.debug({ err: error, nodeId: targetId, address }, 'a node cannot be reached');
  }
}
