import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from './listener.ts';
import type { Listener } from './listening.ts';

const listenOn = (host: string, port: number, hasThread: boolean): Promise<Listener> =>
  listen({
    ...{ host, port, hasThread },
    certificate: null,
    handshakeTimeoutMs: 1_000,
    maxConnections: 1,
    onConnection: (stream) => stream.destroy(),
    onHandshake: () => () => undefined,
  });

describe.each([
  ['with', true],
  ['without', false],
])('the MQTT port, %s a thread', (_, hasThread) => {
  it('that another program has is reported with its setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(listenOn('127.0.0.1', port, hasThread)).rejects.toThrow(
      `FIELDWATCH_MQTT_PORT: port ${port} on 127.0.0.1 is in use by another program`,
    );
  });

  it.each(['192.0.2.1', 'host.invalid'])(
    'on %s, which is not of this machine, is reported with the setting of the address',
    async (host) => {
      await expect(listenOn(host, 0, hasThread)).rejects.toThrow(
        `FIELDWATCH_HTTP_HOST: ${host} is not an address of this machine.`,
      );
    },
  );
});
