import type { Socket } from 'node:net';

export interface WaitingConnectionLimits {
  readonly perAddress: number;
  readonly inAll: number;
}

/**
 * Connections without credentials that wait: silent, idle, or with a request that has not arrived
 * in full. Each holds a descriptor and up to one small body. Over a limit the oldest is closed, so
 * that the next client is served however many connections others hold open.
 */
export interface WaitingConnections {
  /** The address is null where many clients share it: behind a proxy. */
  add(socket: Socket, address: string | null): void;
  /** The request is being served, or credentials were found. */
  remove(socket: Socket): void;
}

export function createWaitingConnections(limits: WaitingConnectionLimits): WaitingConnections {
  // Insertion order is the order of waiting, so the first is the oldest.
  const waiting = new Map<Socket, string | null>();
  const byAddress = new Map<string, Set<Socket>>();

  function remove(socket: Socket): void {
    const address = waiting.get(socket);
    waiting.delete(socket);
    if (typeof address !== 'string') return;
    const own = byAddress.get(address);
    own?.delete(socket);
    if (own?.size === 0) byAddress.delete(address);
  }

  function closeOldest(sockets: Iterable<Socket>): void {
    for (const oldest of sockets) {
      remove(oldest);
      oldest.destroy();
      return;
    }
  }

  return {
    add(socket, address) {
      if (socket.destroyed || waiting.has(socket)) return;
      waiting.set(socket, address);
      if (address !== null) {
        const own = byAddress.get(address) ?? new Set();
        byAddress.set(address, own.add(socket));
        if (own.size > limits.perAddress) closeOldest(own);
      }
      if (waiting.size > limits.inAll) closeOldest(waiting.keys());
    },
    remove,
  };
}
