import { randomBytes, randomUUID } from 'node:crypto';
import { connect as connectTcp, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Peers, startPeers } from '../../src/nodes/index.ts';
import { createLog, type Log } from '../../src/runtime/index.ts';

const KEY = randomBytes(32);
export const TIMEOUT_MS = 20_000;
export const eventually = { timeout: 20_000, interval: 10 };

interface NodeOptions {
  readonly id?: string;
  readonly port?: number;
  readonly key?: Buffer;
  readonly log?: Log;
  readonly limits?: Parameters<typeof startPeers>[0]['limits'];
}

/** Nodes that know each other's addresses. */
export function installation() {
  const addresses = new Map<string, string>();
  async function start({ id = randomUUID(), key = KEY, ...options }: NodeOptions = {}) {
    const peers = await startPeers({
      nodeId: id,
      host: '127.0.0.1',
      port: options.port ?? 0,
      advertisedAddress: null,
      key,
      addressOf: (nodeId) => addresses.get(nodeId),
      log: options.log ?? createLog('silent'),
      limits: options.limits ?? {},
    });
    onTestFinished(() => peers.stop());
    addresses.set(id, peers.address);
    return { id, peers };
  }
  return { addresses, start };
}

export function recordedLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { log: createLog('warn', { write: (line) => void lines.push(line) }), lines };
}

export function echo({ peers }: { peers: Peers }): void {
  peers.serve('echo', async (body) => body);
}

/** A handler that answers when it is allowed to, in the order of the calls. */
export function heldHandler(peers: Peers): { seen: number[]; release: () => void } {
  const seen: number[] = [];
  const waiting: (() => void)[] = [];
  peers.serve('held', async (body) => {
    seen.push(body.length);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Buffer.alloc(0);
  });
  return { seen, release: () => waiting.shift()?.() };
}

export function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (typeof address !== 'object' || !address) throw new Error('not listening');
  return address.port;
}

export function openSocket({ address }: Peers): Promise<Socket> {
  const [host = '', port] = address.split(':');
  return new Promise((resolve, reject) => {
    const socket = connectTcp(Number(port), host, () => resolve(socket));
    socket.on('error', reject);
    socket.resume();
    onTestFinished(() => void socket.destroy());
  });
}

export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    socket.once('close', () => resolve());
  });
}

/** Forwards to a port until it is halted; then its connections stay open and carry nothing. */
export async function startProxy(port: number): Promise<{ address: string; halt: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connectTcp(port, '127.0.0.1');
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    address: `127.0.0.1:${portOf(server.address())}`,
    halt() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}
