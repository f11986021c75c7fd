import { expect, it } from 'vitest';
import {
  echo,
  eventually,
  heldHandler,
  installation,
  TIMEOUT_MS,
} from '../../../test/support/peers.ts';
import { PeerUnreachable } from './index.ts';

it('a body of the maximum size passes, and one byte more is refused on both sides', async () => {
  const { start } = installation();
  const limits = { maxBodyBytes: 1_000 };
  const [a, b] = [await start({ limits }), await start({ limits })];
  const unlimited = await start();
  echo(b);
  b.peers.serve('answer', async (body) => Buffer.alloc(Number(body)));
  for (const size of [999, 1_000]) {
    expect(await a.peers.call(b.id, 'echo', Buffer.alloc(size), TIMEOUT_MS)).toHaveLength(size);
    const asked = a.peers.call(b.id, 'answer', Buffer.from(String(size)), TIMEOUT_MS);
    expect(await asked).toHaveLength(size);
  }
  await expect(a.peers.call(b.id, 'echo', Buffer.alloc(1_001), TIMEOUT_MS)).rejects.toThrow(
    'the body of a call is too large',
  );
  await expect(
    unlimited.peers.call(b.id, 'echo', Buffer.alloc(1_001), TIMEOUT_MS),
  ).rejects.toBeInstanceOf(PeerUnreachable);
  await expect(a.peers.call(b.id, 'answer', Buffer.from('1001'), TIMEOUT_MS)).rejects.toMatchObject(
    { code: 'INTERNAL' },
  );
});

it('a node handles calls of all others up to its limit, and refuses one more before a handler sees it', async () => {
  const { start } = installation();
  const [a, b, c] = [await start(), await start({ limits: { maxServedCalls: 2 } }), await start()];
  const held = heldHandler(b.peers);
  const call = ({ peers }: typeof a) => peers.call(b.id, 'held', Buffer.alloc(1), TIMEOUT_MS);
  const first = [call(a), call(a)];
  await expect.poll(() => held.seen, eventually).toEqual([1, 1]);
  await expect(call(c)).rejects.toBeInstanceOf(PeerUnreachable);
  held.release();
  await Promise.race(first);
  const third = call(c);
  await expect.poll(() => held.seen, eventually).toEqual([1, 1, 1]);
  held.release();
  held.release();
  await Promise.all([...first, third]);
});

it('a node receives bytes of all others up to its limit, and refuses one more', async () => {
  const { start } = installation();
  const [a, b, c] = [await start(), await start({ limits: { maxServedBytes: 10 } }), await start()];
  const held = heldHandler(b.peers);
  const call = ({ peers }: typeof a, size: number) =>
    peers.call(b.id, 'held', Buffer.alloc(size), TIMEOUT_MS);
  const calls = [call(a, 6)];
  await expect.poll(() => held.seen, eventually).toEqual([6]);
  await expect(call(c, 5)).rejects.toBeInstanceOf(PeerUnreachable);
  calls.push(call(c, 4));
  await expect.poll(() => held.seen, eventually).toEqual([6, 4]);
  held.release();
  held.release();
  await Promise.all(calls);
});

it('calls beyond the concurrent ones wait their turn, and their timeout runs meanwhile', async () => {
  const { start } = installation();
  const [a, b] = [await start({ limits: { maxConcurrentCalls: 2 } }), await start()];
  const held = heldHandler(b.peers);
  const call = (size: number, timeoutMs = TIMEOUT_MS) =>
    a.peers.call(b.id, 'held', Buffer.alloc(size), timeoutMs);
  const first = [call(1), call(2)];
  await expect.poll(() => held.seen, eventually).toEqual([1, 2]);
  const third = call(3);
  await expect(call(4, 100)).rejects.toBeInstanceOf(PeerUnreachable);
  expect(held.seen).toEqual([1, 2]);
  held.release();
  await expect.poll(() => held.seen, eventually).toEqual([1, 2, 3]);
  held.release();
  held.release();
  await Promise.all([...first, third]);
});
