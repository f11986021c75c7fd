import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Random } from '../support/random.ts';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** After so many further bytes of the client both sides are reset; null leaves them alone. */
  cutAfterBytes: number | null;
  /** The next bytes of the server are lost, and the connection with them. */
  isAnswerCut: boolean;
}

const UNCUT = { cutAfterBytes: null, isAnswerCut: false };

/** The network between clients and a server: one fixed address, whatever port the server has now. */
export interface Gateway {
  readonly port: number;
  /** How many connections were cut. */
  readonly cuts: () => number;
  /** Cuts open connections within their next bytes: those of the client, or the answer to them. */
  cut(random: Random): void;
  /** Leaves those alone whose next bytes have not come yet: they would be cut at any later time. */
  stopCutting(): void;
  /** Delivers nothing more on open connections, and resets them when the answer is called. */
  silence(): () => void;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly target: () => number;
  /** How long the server's bytes are held back. */
  readonly answerDelayMs?: (bytes: Buffer) => number;
}

export async function startGateway({ target, answerDelayMs }: GatewayOptions): Promise<Gateway> {
  const pairs = new Set<Pair>();
  let cuts = 0;

  function reset(pair: Pair): void {
    cuts += 1;
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
  }

  function fromClient(pair: Pair, bytes: Buffer): void {
    const { client, server, cutAfterBytes } = pair;
    if (cutAfterBytes === null) {
      if (!server.write(bytes)) client.pause();
      return;
    }
    pair.cutAfterBytes = cutAfterBytes - bytes.length;
    if (bytes.length <= cutAfterBytes) server.write(bytes);
    else server.write(bytes.subarray(0, cutAfterBytes), () => reset(pair));
  }

  function fromServer(pair: Pair, bytes: Buffer): void {
    const { client, server } = pair;
    if (pair.isAnswerCut) {
      reset(pair);
      return;
    }
    const delayMs = answerDelayMs?.(bytes) ?? 0;
    if (delayMs > 0) setTimeout(() => client.writable && client.write(bytes), delayMs).unref();
    else if (!client.write(bytes)) server.pause();
  }

  const listener = createServer((client) => {
    const server = connect(target() || 1, '127.0.0.1');
    const pair: Pair = { client, server, ...UNCUT };
    pairs.add(pair);
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on('data', (bytes: Buffer) => fromClient(pair, bytes));
    server.on('data', (bytes: Buffer) => fromServer(pair, bytes));
    client.on('drain', () => server.resume());
    server.on('drain', () => client.resume());
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('end', () => other.end());
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    cuts: () => cuts,
    cut(random) {
      for (const pair of pairs) {
        const choice = random.below(4);
        if (choice < 2) pair.cutAfterBytes = 1 + random.below(60);
        else if (choice === 2) pair.isAnswerCut = true;
      }
    },
    stopCutting() {
      for (const pair of pairs) Object.assign(pair, UNCUT);
    },
    silence() {
      const silenced = [...pairs];
      for (const { client, server } of silenced) {
        for (const socket of [client, server]) socket.removeAllListeners('data').pause();
      }
      return () => silenced.forEach(reset);
    },
    async stop() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      listener.close();
      await once(listener, 'close');
    },
  };
}
