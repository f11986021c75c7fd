import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Resolves when a program accepts connections on a port of the loopback interface. Rejects after the
 * time, or when the program has ended.
 */
export async function opened(
  port: number,
  program: { readonly name: string; readonly limitMs: number; readonly hasEnded?: () => boolean },
): Promise<void> {
  const { name, limitMs, hasEnded = () => false } = program;
  for (const until = performance.now() + limitMs; performance.now() < until && !hasEnded(); ) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error(`${name} did not start`);
}
