/** A connection whose client has not signed in. */
export interface PendingConnection {
  destroy(): void;
}

export interface PendingLimits {
  readonly maxPending: number;
  readonly maxPendingPerAddress: number;
}

/**
 * The connections that have not signed in. At the limit, the oldest one without a CONNECT is closed
 * for a new one: idle connections lock out no other client, and a client that sends its CONNECT at
 * once is not closed.
 */
export interface PendingConnections {
  readonly count: number;
  /** False when the limit is reached and no connection can be closed. */
  enter(connection: PendingConnection, address: string): boolean;
  /** The CONNECT has arrived and is being checked. */
  identify(connection: PendingConnection): void;
  /** Signed in, refused or closed. */
  leave(connection: PendingConnection): void;
}

interface Group {
  readonly all: Set<PendingConnection>;
  /** Those without a CONNECT, in the order of their message. */
  readonly silent: Set<PendingConnection>;
}

const newGroup = (): Group => ({ all: new Set(), silent: new Set() });

export function createPendingConnections(limits: PendingLimits): PendingConnections {
  const total = newGroup();
  const byAddress = new Map<string, Group>();
  const addresses = new Map<PendingConnection, string>();

  function leave(connection: PendingConnection): void {
    const address = addresses.get(connection);
    if (address === undefined) return;
    addresses.delete(connection);
    const group = byAddress.get(address);
    for (const each of [total, group]) {
      each?.all.delete(connection);
      each?.silent.delete(connection);
    }
    if (group?.all.size === 0) byAddress.delete(address);
  }

  function evictSilent({ all, silent }: Group, max: number): boolean {
    if (all.size < max) return true;
    for (const oldest of silent) {
      leave(oldest);
      oldest.destroy();
      return true;
    }
    return false;
  }

  return {
    get count() {
      return addresses.size;
    },
    enter(connection, address) {
      const known = byAddress.get(address);
      if (known && !evictSilent(known, limits.maxPendingPerAddress)) return false;
      if (!evictSilent(total, limits.maxPending)) return false;
      const group = byAddress.get(address) ?? newGroup();
      byAddress.set(address, group);
      addresses.set(connection, address);
      for (const each of [total, group]) {
        each.all.add(connection);
        each.silent.add(connection);
      }
      return true;
    },
    identify(connection) {
      total.silent.delete(connection);
      byAddress.get(addresses.get(connection) ?? '')?.silent.delete(connection);
    },
    leave,
  };
}
