import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of map tiles in the local network, without TLS; every tile is the same picture. */
export interface TileServer {
  /** The template of the addresses of its tiles. */
  readonly url: string;
  /** The paths of the tiles that were requested. */
  readonly requested: ReadonlySet<string>;
  stop(): Promise<void>;
}

const PICTURE = new URL('../../public/icon-192.png', import.meta.url);

export async function startTileServer(): Promise<TileServer> {
  const picture = readFileSync(PICTURE);
  const requested = new Set<string>();
  const server = createServer((request, response) => {
    requested.add(request.url ?? '');
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/tiles/{z}/{x}/{y}.png`,
    requested,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
