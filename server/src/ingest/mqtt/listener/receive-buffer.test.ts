import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bytesOf } from '../../../../test/support/stream-bytes.ts';
import { createReceiveBuffer } from './receive-buffer.ts';

interface Pair {
  readonly client: Socket;
  readonly accepted: Socket;
  readonly receiving: Socket;
}

/** A server whose sockets share one buffer; each call connects one more client. */
async function startServer(): Promise<() => Promise<Pair>> {
  const received = createReceiveBuffer();
  const server = createServer({ pauseOnConnect: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return async () => {
    const address = server.address();
    const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
    const [accepted] = (await once(server, 'connection')) as [Socket];
    const receiving = received(accepted);
    onTestFinished(() => {
      client.destroy();
      receiving.destroy();
    });
    return { client, accepted, receiving };
  };
}

describe('sockets that share a receive buffer', () => {
  it('are not those that Node accepted, whose reads allocate', async () => {
    const connectOne = await startServer();
    const { accepted, receiving } = await connectOne();
    expect(receiving).not.toBe(accepted);
    expect(receiving.remoteAddress).toBe('127.0.0.1');
  });

  it('receive their own bytes in order, however the reads of others fall in between', async () => {
    const connectOne = await startServer();
    const sent = Array.from({ length: 8 }, () => randomBytes(300_000));
    const pairs: Pair[] = [];
    for (const _ of sent) pairs.push(await connectOne());
    const all = await Promise.all(
      sent.map((bytes, index) => {
        const { client, receiving } = pairs[index] as Pair;
        const arrived = bytesOf(receiving, bytes.length);
        for (let at = 0; at < bytes.length; at += 999) client.write(bytes.subarray(at, at + 999));
        return arrived;
      }),
    );
    expect(all.map((bytes, index) => bytes.equals(sent[index] as Buffer))).not.toContain(false);
  });

  it('receive nothing while they are paused, and everything afterwards', async () => {
    const connectOne = await startServer();
    const { client, receiving } = await connectOne();
    const bytes = randomBytes(2_000_000);
    const arrived = bytesOf(receiving, bytes.length);
    let isPaused = true;
    receiving.pause();
    receiving.prependListener('data', () => expect(isPaused).toBe(false));
    client.write(bytes);
    const other = await connectOne();
    const beside = bytesOf(other.receiving, 1);
    other.client.write('x');
    await beside;
    isPaused = false;
    receiving.resume();
    expect((await arrived).equals(bytes)).toBe(true);
  });

  it('end and close with their client', async () => {
    const connectOne = await startServer();
    const { client, receiving } = await connectOne();
    const arrived = bytesOf(receiving, 3);
    const [ended, closed] = [once(receiving, 'end'), once(receiving, 'close')];
    client.end('bye');
    expect((await arrived).toString()).toBe('bye');
    await Promise.all([ended, closed]);
  });
});
