/** A connection whose client has not signed in. */
export interface PendingConnection {
  destroy(): void;
}

export interface PendingLimits {
  readonly maxPending: number;
  readonly maxPendingPerAddress: number;
}

/**
 * The places of connections that have not signed in. When there is none left, the one that has been
 * silent for longest makes room for the newcomer: silence keeps nobody else out, and a client that
 * sends its CONNECT at once is not pushed aside.
 */
export interface PendingConnections {
  readonly count: number;
  /** False when no place is left and none can be made. */
  enter(connection: PendingConnection, address: string): boolean;
  /** The CONNECT has arrived and is being checked. */
  identify(connection: PendingConnection): void;
  /** Signed in, refused or closed. */
  leave(connection: PendingConnection): void;
}

interface Place {
  readonly all: Set<PendingConnection>;
  /** Those without a CONNECT, in the order of their arrival. */
  readonly silent: Set<PendingConnection>;
}

const newPlace = (): Place => ({ all: new Set(), silent: new Set() });

export function createPendingConnections(limits: PendingLimits): PendingConnections {
  const everywhere = newPlace();
  const byAddress = new Map<string, Place>();
  const addresses = new Map<PendingConnection, string>();

  function leave(connection: PendingConnection): void {
    const address = addresses.get(connection);
    if (address === undefined) return;
    addresses.delete(connection);
    const place = byAddress.get(address);
    for (const each of [everywhere, place]) {
      each?.all.delete(connection);
      each?.silent.delete(connection);
    }
    if (place?.all.size === 0) byAddress.delete(address);
  }

  function makeRoom({ all, silent }: Place, max: number): boolean {
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
      if (known && !makeRoom(known, limits.maxPendingPerAddress)) return false;
      if (!makeRoom(everywhere, limits.maxPending)) return false;
      const place = byAddress.get(address) ?? newPlace();
      byAddress.set(address, place);
      addresses.set(connection, address);
      for (const each of [everywhere, place]) {
        each.all.add(connection);
        each.silent.add(connection);
      }
      return true;
    },
    identify(connection) {
      everywhere.silent.delete(connection);
      byAddress.get(addresses.get(connection) ?? '')?.silent.delete(connection);
    },
    leave,
  };
}
