import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Outbound } from '../../runtime/index.ts';
import { Broker } from './broker.ts';

const CONNACK = Buffer.from([0x20, 3, 0, 0, 0]);
const CONNECT_TYPE = 1;
const SUBSCRIBE_TYPE = 8;

let server: Server | undefined;

afterEach(() => server?.close());

/** A broker that accepts a connection, and reacts to a subscription in this way. */
async function connectTo(onSubscribe: (socket: Socket) => void): Promise<Broker> {
  server = createServer((socket) => {
    socket.on('data', ([first = 0]) => {
      if (first >> 4 === CONNECT_TYPE) socket.write(CONNACK);
      if (first >> 4 === SUBSCRIBE_TYPE) onSubscribe(socket);
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outbound: Outbound = {
    connect: async () => connect(port, '127.0.0.1'),
    request: () => Promise.reject(new Error('not called')),
    post: () => Promise.reject(new Error('not called')),
  };
  const options = {
    ...{ url: 'mqtt://broker', clientId: 'client', caCertificate: null },
    ...{ username: null, password: null, version: 5 as const },
    onMessage: async () => undefined,
  };
  return await Broker.connect(outbound, options, new AbortController().signal);
}

it('a subscription during which the connection closes fails, and the end of it is not waited for', async () => {
  const broker = await connectTo((socket) => socket.destroy());
  await expect(broker.subscribe(['a'])).rejects.toThrow('the broker closed the connection');
  await broker.end();
});

it('a connection with an open request ends', async () => {
  let answered = 0;
  const broker = await connectTo(() => {
    answered += 1;
  });
  const subscribed = broker.subscribe(['a']);
  subscribed.catch(() => undefined);
  await expect.poll(() => answered).toBe(1);
  await broker.end();
  await expect(subscribed).rejects.toThrow('the broker closed the connection');
});
