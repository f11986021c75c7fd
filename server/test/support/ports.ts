import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Below those that systems give to outgoing connections: none of them takes the port of a program that is
 * not started yet, or is being started again.
 */
const [FIRST_PORT, LAST_PORT] = [10_000, 30_000];

/** A port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST_PORT, LAST_PORT);
  return (await isFree(port)) ? port : await freePort();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  if (!(await isListening)) return false;
  server.close();
  await once(server, 'close');
  return true;
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
