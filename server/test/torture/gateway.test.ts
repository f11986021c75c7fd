import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../support/random.ts';
import { type Gateway, startGateway } from './gateway.ts';

const CONNECTIONS = 40;

const echo = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.pipe(socket);
});
let gateway: Gateway;

beforeAll(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  gateway = await startGateway({ target: () => (echo.address() as AddressInfo).port });
});

afterAll(async () => {
  await gateway.stop();
  echo.close();
});

/** Whether so many bytes go both ways before the connection is closed. */
function isEchoed(socket: Socket, byteCount: number): Promise<boolean> {
  return new Promise((resolve) => {
    let received = 0;
    socket.on('data', ({ length }: Buffer) => {
      received += length;
      if (received === byteCount) resolve(true);
    });
    socket.once('close', () => resolve(false));
    socket.write(Buffer.alloc(byteCount));
  });
}

async function survivorsOf(fault: () => void): Promise<number> {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(gateway.port, '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => undefined);
  const echoed = (byteCount: number) =>
    Promise.all(sockets.map((socket) => isEchoed(socket, byteCount)));
  await echoed(1);
  fault();
  const isThere = await echoed(100);
  for (const socket of sockets) socket.destroy();
  return isThere.filter(Boolean).length;
}

it('the network of the torture run cuts connections at their next bytes until it stops cutting', async () => {
  expect(await survivorsOf(() => gateway.cut(createRandom(1)))).toBeLessThan(CONNECTIONS / 2);
  const survivors = await survivorsOf(() => {
    gateway.cut(createRandom(1));
    gateway.stopCutting();
  });
  expect(survivors).toBe(CONNECTIONS);
});
