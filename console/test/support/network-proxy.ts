import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between browser and server that can be disconnected. */
export interface NetworkProxy {
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  disconnect(): void;
  reconnect(): void;
  stop(): Promise<void>;
}

export async function startNetworkProxy(serverUrl: string): Promise<NetworkProxy> {
  const port = Number(new URL(serverUrl).port);
  const open = new Set<Socket>();
  let isDisconnected = false;
  const server = createServer((near) => {
    if (isDisconnected) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnect() {
      isDisconnected = true;
      destroyAll();
    },
    reconnect() {
      isDisconnected = false;
    },
    async stop() {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
}
