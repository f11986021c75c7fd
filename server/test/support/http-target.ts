import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that answers by a function, and can be unavailable. */
export async function startHttp(
  handle: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void,
) {
  let isUnavailable = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (isUnavailable) response.writeHead(503).end();
    else handle(request, Buffer.concat(chunks), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setUnavailable(value: boolean) {
      isUnavailable = value;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
