import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bytesOf } from '../../../../test/support/stream-bytes.ts';
import type { Listener } from './listening.ts';
import { listenInThread } from './thread-listener.ts';

const CONNECTIONS = 8;

let listener: Listener;
/** Called with the next connections, in the order in which they were opened. */
const expected: ((stream: Duplex) => void)[] = [];

beforeAll(async () => {
  listener = await listenInThread({
    ...{ host: '127.0.0.1', port: 0, certificate: null, hasThread: true },
    handshakeTimeoutMs: 1_000,
    maxConnections: CONNECTIONS,
    onConnection: (stream) => expected.shift()?.(stream),
    onHandshake: () => () => undefined,
  });
});

afterAll(async () => {
  listener?.stop();
  await listener?.end();
});

/** A client, and the connection that the main thread has of it. */
async function connectOne(): Promise<{ client: Socket; stream: Duplex }> {
  const accepted = new Promise<Duplex>((resolve) => expected.push(resolve));
  const client = connect(listener.port, '127.0.0.1');
  const stream = await accepted;
  onTestFinished(async () => {
    stream.resume();
    const closed = [client, stream].map((each) => each.closed || once(each, 'close'));
    client.destroy();
    await Promise.all(closed);
  });
  return { client, stream };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

describe('connections in a thread of their own', () => {
  it('pass all bytes of many clients in both directions, in order', async () => {
    const sent = Array.from({ length: CONNECTIONS - 1 }, () => randomBytes(700_000));
    const pairs = [];
    for (const _ of sent) pairs.push(await connectOne());
    const echoed = pairs.map(async ({ client, stream }, index) => {
      const bytes = sent[index] as Buffer;
      stream.on('data', (chunk: Buffer) => stream.write(Buffer.from(chunk)));
      const back = bytesOf(client, bytes.length);
      for (let at = 0; at < bytes.length; at += 9_999) client.write(bytes.subarray(at, at + 9_999));
      return (await back).equals(bytes);
    });
    expect(await Promise.all(echoed)).not.toContain(false);
  });

  it('receive nothing before a listener is there, and little after a pause', async () => {
    const { client, stream } = await connectOne();
    const bytes = randomBytes(20_000_000);
    client.write(bytes);
    await turns(50);
    let received = 0;
    const arrived = bytesOf(stream, bytes.length);
    stream.once('data', () => stream.pause());
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    await expect.poll(() => received).toBeGreaterThan(0);
    await turns(200);
    expect(received).toBeLessThan(bytes.length / 4);
    stream.resume();
    expect((await arrived).equals(bytes)).toBe(true);
  });

  it('are blocked while their client does not read, and drained when it does', async () => {
    const { client, stream } = await connectOne();
    client.pause();
    const chunk = Buffer.alloc(1_000, 'x');
    let written = 0;
    const drainsWithin = async (ms: number) => {
      const signal = AbortSignal.timeout(ms);
      return await once(stream, 'drain', { signal }).then(Boolean, () => false);
    };
    do {
      while (stream.write(chunk)) written += chunk.length;
      written += chunk.length;
      // The system takes some megabytes; beyond them a few kilobytes wait.
      expect(written).toBeLessThan(30_000_000);
    } while (await drainsWithin(500));
    const all = bytesOf(client, written);
    client.resume();
    await Promise.all([once(stream, 'drain'), all]);
    expect((await all).length).toBe(written);
  });

  it('send everything before they end', async () => {
    const { client, stream } = await connectOne();
    const bytes = randomBytes(3_000_000);
    const arrived = bytesOf(client, bytes.length);
    stream.resume();
    stream.end(bytes);
    expect((await arrived).equals(bytes)).toBe(true);
    await Promise.all([once(client, 'close'), once(stream, 'close')]);
  });

  it('close with their client, after its last bytes', async () => {
    const { client, stream } = await connectOne();
    const arrived = bytesOf(stream, 3);
    const closed = once(stream, 'close');
    client.end('bye');
    expect((await arrived).toString()).toBe('bye');
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  it('close their client when they are destroyed', async () => {
    const { client, stream } = await connectOne();
    client.resume();
    stream.destroy();
    await once(client, 'close');
  });

  it('are refused beyond the limit', async () => {
    const before = await Promise.all(Array.from({ length: CONNECTIONS }, connectOne));
    const beyond = connect(listener.port, '127.0.0.1').resume();
    await once(beyond, 'close');
    expect(before.every(({ client }) => !client.closed)).toBe(true);
  });
});
