import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  closed,
  echo,
  eventually,
  installation,
  openSocket,
  recordedLog,
  TIMEOUT_MS,
} from '../../../test/support/peers.ts';
import { PeerUnreachable } from './index.ts';

it('a node with another secret is refused, and both log that', async () => {
  const { start } = installation();
  const [here, there] = [recordedLog(), recordedLog()];
  const a = await start({ log: here.log });
  const b = await start({ log: there.log, key: randomBytes(32) });
  echo(b);
  await expect(a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).rejects.toBeInstanceOf(
    PeerUnreachable,
  );
  const line = 'a node has another secret key';
  expect(here.lines.join()).toContain(line);
  expect(here.lines.join()).toContain(b.peers.address);
  await expect.poll(() => there.lines.join(), eventually).toContain(line);
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['garbage', randomBytes(200)],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('a connection that sends %s is closed', async (_, bytes) => {
  const { start } = installation();
  const { peers } = await start({ limits: { handshakeTimeoutMs: 200 } });
  const socket = await openSocket(peers);
  socket.write(bytes);
  await closed(socket);
});

it('connections without a handshake are accepted up to the limit, and one more is closed at once', async () => {
  const { start } = installation();
  const limits = { maxPendingHandshakes: 3, handshakeTimeoutMs: 600_000 };
  const [a, b] = [await start(), await start({ limits })];
  echo(b);
  const first = [await openSocket(b.peers), await openSocket(b.peers)];
  expect(await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).toHaveLength(1);
  first.push(await openSocket(b.peers));
  await closed(await openSocket(b.peers));
  expect(first.map(({ closed }) => closed)).toEqual([false, false, false]);
  expect(await a.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS)).toHaveLength(1);
  first[0]?.destroy();
  const c = await start();
  await expect
    .poll(
      () => c.peers.call(b.id, 'echo', Buffer.alloc(1), TIMEOUT_MS).catch(() => null),
      eventually,
    )
    .not.toBeNull();
});
