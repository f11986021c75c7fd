import type { Log } from '../../runtime/index.ts';
import { PEER_LIMITS, type PeerLimits } from './limits.ts';
import { Link } from './link.ts';
import { startListener } from './listener.ts';
import { PeerSilent, PeerUnreachable } from './peer-failures.ts';
import { isMethod } from './protocol.ts';
import { type PeerHandler, ServedCalls } from './served-calls.ts';

export interface Peers {
  /** Where other nodes reach this one: host:port. */
  readonly address: string;
  /** Answers the calls of other nodes; one handler per method, registered before any call comes. */
  serve(method: string, handler: PeerHandler): void;
  /**
   * Calls a node. Rejects with the Failure that its handler failed with; with PeerUnreachable when
   * the call certainly did not reach a handler (it may be repeated safely); with PeerSilent when the
   * outcome is unknown (connection lost or timeout after it was sent).
   */
  call(nodeId: string, method: string, body: Buffer, timeoutMs: number): Promise<Buffer>;
  /** Ends the calls of a node that is lost: it may be halted, and answer nothing for long. */
  disconnect(nodeId: string): void;
  /** Calls of other nodes since the start, by outcome. */
  totals(): Readonly<Record<CallOutcome, number>>;
  stop(): Promise<void>;
}

type CallOutcome = 'answered' | 'failed' | 'unreachable' | 'silent';

export interface PeersDeps {
  readonly nodeId: string;
  /** The interface and the port to listen on; port 0 is any free one. */
  readonly host: string;
  readonly port: number;
  /** Where other nodes reach this one, when that is not the host and the port. */
  readonly advertisedAddress: string | null;
  /** What nodes of this installation have in common, and nobody else has. */
  readonly key: Buffer;
  /** Where a node is reached; undefined when that is not known. */
  readonly addressOf: (nodeId: string) => string | undefined;
  readonly log: Log;
  readonly limits?: Partial<PeerLimits>;
}

/** Starts to listen for other nodes. Connections to them are opened by the calls that need them. */
export async function startPeers(deps: PeersDeps): Promise<Peers> {
  const { nodeId, host, key, log, addressOf } = deps;
  const limits = { ...PEER_LIMITS, ...deps.limits };
  const served = new ServedCalls({ nodeId, log, limits });
  const listener = await startListener({ ...deps, limits, onStream: served.handle });
  const links = new Map<string, Link>();
  const totals = { answered: 0, failed: 0, unreachable: 0, silent: 0 };

  function linkTo(targetId: string): Link {
    let link = links.get(targetId);
    if (!link) {
      const address = () => addressOf(targetId);
      link = new Link({ callerId: nodeId, targetId, address, key, log, limits });
      links.set(targetId, link);
    }
    return link;
  }

  return {
    address: deps.advertisedAddress ?? `${host}:${listener.port}`,
    serve(method, handler) {
      if (!isMethod(method)) throw new Error(`${method} is not the name of a method`);
      served.register(method, handler);
    },
    async call(targetId, method, body, timeoutMs) {
      if (targetId === nodeId) throw new Error('a node must not call itself');
      if (body.length > limits.maxBodyBytes) throw new Error('the body of a call is too large');
      try {
        const answer = await linkTo(targetId).call(method, body, timeoutMs);
        totals.answered += 1;
        return answer;
      } catch (error) {
        totals[outcomeOf(error)] += 1;
        throw error;
      }
    },
    disconnect: (targetId) => links.get(targetId)?.disconnect(),
    totals: () => totals,
    async stop() {
      for (const link of links.values()) link.stop();
      await listener.stop();
    },
  };
}

function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof PeerUnreachable) return 'unreachable';
  return error instanceof PeerSilent ? 'silent' : 'failed';
}
