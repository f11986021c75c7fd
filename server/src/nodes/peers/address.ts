/** Where a node is reached: a host name, an IPv4 address or an IPv6 address in brackets, and a port. */
export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(\[[\da-f:.]+\]|[a-z\d][a-z\d.-]{0,252}):(\d{1,5})$/i;

export function parsePeerAddress(text: string): PeerAddress | undefined {
  const [, host, port] = ADDRESS.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { host, port: Number(port) };
}

const IPV4_LOOPBACK = '127.0.0.1';

/**
 * Where a node with this address listens: on all interfaces, since the address may be one of a
 * router, unless it is one of this machine alone.
 */
export function bindingOf(address: PeerAddress | null) {
  if (!address) return { host: IPV4_LOOPBACK, port: 0, advertisedAddress: null };
  const { host, port } = address;
  const advertisedAddress = `${host}:${port}`;
  if (host === '[::1]') return { host: '::1', port, advertisedAddress };
  const isLoopback = host === 'localhost' || host.startsWith('127.');
  if (isLoopback) return { host: IPV4_LOOPBACK, port, advertisedAddress };
  return { host: host.startsWith('[') ? '::' : '0.0.0.0', port, advertisedAddress };
}
