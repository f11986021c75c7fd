import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where a PostgreSQL listens: a directory with a Unix socket, or a loopback address. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** What every platform's `sun_path` holds, its closing zero aside. */
const MAX_SOCKET_PATH_BYTES = 103;
/** Names the socket file; nothing listens on a network port of that number. */
const SOCKET_PORT = 5432;
const LOOPBACK = '127.0.0.1';

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** A socket in the home where its path fits, else a free port of the loopback interface. */
export async function chooseEndpoint(home: string): Promise<Endpoint> {
  const socket = join(home, `.s.PGSQL.${SOCKET_PORT}`);
  if (process.platform !== 'win32' && Buffer.byteLength(socket) <= MAX_SOCKET_PATH_BYTES) {
    return { host: home, port: SOCKET_PORT };
  }
  return { host: LOOPBACK, port: await freePort() };
}

export function isSocket(endpoint: Endpoint): boolean {
  return endpoint.host !== LOOPBACK;
}
