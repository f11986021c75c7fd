import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import {
  echo,
  eventually,
  heldHandler,
  installation,
  portOf,
  recordedLog,
  startProxy,
  TIMEOUT_MS,
} from '../../../test/support/peers.ts';
import { freePort } from '../../../test/support/ports.ts';
import { Failure } from '../../runtime/index.ts';
import { PeerSilent, PeerUnreachable } from './peer-failures.ts';

it('two nodes call each other, and a handler knows who calls', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start()];
  for (const { peers } of [a, b]) {
    peers.serve('who', async (body, callerId) => Buffer.from(`${callerId} ${body}`));
  }
  const answers = await Promise.all([
    a.peers.call(b.id, 'who', Buffer.from('x'), TIMEOUT_MS),
    b.peers.call(a.id, 'who', Buffer.from('y'), TIMEOUT_MS),
  ]);
  expect(answers.map(String)).toEqual([`${a.id} x`, `${b.id} y`]);
});

it.each([0, 1, 65_535, 65_536, 1_000_000])(
  'a body of %i bytes arrives whole, and so does the answer',
  async (size) => {
    const { start } = installation();
    const [a, b] = [await start(), await start()];
    echo(b);
    const body = randomBytes(size);
    expect((await a.peers.call(b.id, 'echo', body, TIMEOUT_MS)).equals(body)).toBe(true);
  },
);

it('thousands of calls one after the other pass over one connection', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start()];
  echo(b);
  for (let index = 0; index < 2_000; index += 1) {
    await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS);
  }
});

it('a failure of a handler reaches the caller as it is', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start()];
  b.peers.serve('fail', async () => {
    throw new Failure('OVERLOADED', 'Too much.', { retryAfterSeconds: 7, cause: new Error('why') });
  });
  const failure = await a.peers.call(b.id, 'fail', Buffer.alloc(0), TIMEOUT_MS).catch((e) => e);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ code: 'OVERLOADED', message: 'Too much.', retryAfterSeconds: 7 });
  expect(failure.cause).toBeUndefined();
});

it('an unexpected error of a handler is logged there with its cause, and the caller learns nothing of it', async () => {
  const { start } = installation();
  const { log, lines } = recordedLog();
  const [a, b] = [await start(), await start({ log })];
  b.peers.serve('fail', async () => {
    throw new Error('disk 7 is on fire');
  });
  const failure = await a.peers.call(b.id, 'fail', Buffer.alloc(0), TIMEOUT_MS).catch((e) => e);
  expect(failure).toMatchObject({ code: 'INTERNAL', message: 'Another node failed unexpectedly.' });
  expect(lines.join()).toContain('disk 7 is on fire');
});

it('a call to a method without a handler, to an unknown node or to a node that is elsewhere is unreachable', async () => {
  const { addresses, start } = installation();
  const [a, b] = [await start(), await start()];
  echo(b);
  const call = (id: string, method: string) =>
    a.peers.call(id, method, Buffer.alloc(1), TIMEOUT_MS);
  await expect(call(b.id, 'unknown')).rejects.toBeInstanceOf(PeerUnreachable);
  await expect(call(randomUUID(), 'echo')).rejects.toBeInstanceOf(PeerUnreachable);
  const gone = randomUUID();
  addresses.set(gone, b.peers.address);
  await expect(call(gone, 'echo')).rejects.toBeInstanceOf(PeerUnreachable);
  expect(await call(b.id, 'echo')).toHaveLength(1);
});

it('a node never calls itself', async () => {
  const { start } = installation();
  const a = await start();
  await expect(a.peers.call(a.id, 'echo', Buffer.alloc(0), TIMEOUT_MS)).rejects.toThrow(
    'a node must not call itself',
  );
});

it('a node that restarts on another port is called there', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start()];
  echo(b);
  await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS);
  await b.peers.stop();
  const again = await start({ id: b.id });
  echo(again);
  expect(again.peers.address).not.toBe(b.peers.address);
  expect(await a.peers.call(b.id, 'echo', Buffer.alloc(2), TIMEOUT_MS)).toHaveLength(2);
});

it('a node whose address has changed is called there while its old connection is still open', async () => {
  const { addresses, start } = installation();
  const [a, b] = [await start(), await start()];
  const held = heldHandler(b.peers);
  const early = a.peers.call(b.id, 'held', Buffer.alloc(1), TIMEOUT_MS);
  await expect.poll(() => held.seen, eventually).toEqual([1]);
  const again = await start({ id: b.id });
  echo(again);
  expect(addresses.get(b.id)).toBe(again.peers.address);
  expect(await a.peers.call(b.id, 'echo', Buffer.alloc(2), TIMEOUT_MS)).toHaveLength(2);
  held.release();
  expect(await early).toHaveLength(0);
});

it('a node that comes back at the same address is called again', async () => {
  const { addresses, start } = installation();
  const a = await start();
  const id = randomUUID();
  const port = await freePort();
  addresses.set(id, `127.0.0.1:${port}`);
  await expect(a.peers.call(id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).rejects.toBeInstanceOf(
    PeerUnreachable,
  );
  echo(await start({ id, port }));
  expect(await a.peers.call(id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).toHaveLength(1);
});

it('a call that is not answered in time has an unknown outcome, and later ones pass', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start()];
  heldHandler(b.peers);
  echo(b);
  await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS);
  await expect(a.peers.call(b.id, 'held', Buffer.alloc(1), 100)).rejects.toBeInstanceOf(PeerSilent);
  expect(await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).toHaveLength(1);
});

it('calls in flight to a node that stops or dies have an unknown outcome', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start({ limits: { stopTimeoutMs: 50 } })];
  const held = heldHandler(b.peers);
  const call = a.peers.call(b.id, 'held', Buffer.alloc(1), TIMEOUT_MS).catch((error) => error);
  await expect.poll(() => held.seen, eventually).toEqual([1]);
  await b.peers.stop();
  expect(await call).toBeInstanceOf(PeerSilent);
});

it('a node that stops lets the calls that it handles end', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start()];
  const held = heldHandler(b.peers);
  const call = a.peers.call(b.id, 'held', Buffer.alloc(1), TIMEOUT_MS);
  await expect.poll(() => held.seen, eventually).toEqual([1]);
  const stopped = b.peers.stop();
  held.release();
  expect(await call).toHaveLength(0);
  await stopped;
});

it('a partitioned node is noticed by pings, though its connection stays open', async () => {
  const { addresses, start } = installation();
  const [a, b] = [await start({ limits: { pingIntervalMs: 50 } }), await start()];
  const held = heldHandler(b.peers);
  echo(b);
  const proxy = await startProxy(Number(b.peers.address.split(':')[1]));
  addresses.set(b.id, proxy.address);
  await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS);
  const call = a.peers.call(b.id, 'held', Buffer.alloc(1), TIMEOUT_MS).catch((error) => error);
  await expect.poll(() => held.seen, eventually).toEqual([1]);
  proxy.halt();
  expect(await call).toBeInstanceOf(PeerSilent);
});

it('a node that accepts connections and says nothing is unreachable after the connect timeout', async () => {
  const { addresses, start } = installation();
  const a = await start({ limits: { connectTimeoutMs: 100 } });
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await expect.poll(() => silent.listening, eventually).toBe(true);
  const id = randomUUID();
  addresses.set(id, `127.0.0.1:${portOf(silent.address())}`);
  await expect(a.peers.call(id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).rejects.toBeInstanceOf(
    PeerUnreachable,
  );
});

it('calls to a node that is lost end at once, sent or not, and it gets none while it has no address', async () => {
  const { addresses, start } = installation();
  const limits = { connectTimeoutMs: 600_000, pingIntervalMs: 600_000 };
  const [a, b] = [await start({ limits }), await start()];
  const held = heldHandler(b.peers);
  const sent = a.peers.call(b.id, 'held', Buffer.alloc(1), 600_000).catch((error) => error);
  await expect.poll(() => held.seen, eventually).toEqual([1]);
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await expect.poll(() => silent.listening, eventually).toBe(true);
  const halted = randomUUID();
  addresses.set(halted, `127.0.0.1:${portOf(silent.address())}`);
  const unsent = a.peers.call(halted, 'held', Buffer.alloc(1), 600_000).catch((error) => error);
  await new Promise(setImmediate);
  for (const id of [b.id, halted]) {
    addresses.delete(id);
    a.peers.disconnect(id);
  }
  expect(await sent).toBeInstanceOf(PeerSilent);
  expect(await unsent).toBeInstanceOf(PeerUnreachable);
});

it('calls are refused once the peers have stopped', async () => {
  const { start } = installation();
  const [a, b] = [await start(), await start()];
  echo(b);
  await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS);
  await a.peers.stop();
  await expect(a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).rejects.toBeInstanceOf(
    PeerUnreachable,
  );
});
