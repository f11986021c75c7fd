import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openSessionLocks } from './session-locks.ts';

it('a session whose connection breaks while it opens is refused, and not reported as lost', async () => {
  // As a proxy does that has no server behind it.
  const proxy = createServer((socket) => socket.once('data', () => socket.end()));
  proxy.listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const onLost = vi.fn();
  const opening = openSessionLocks(() => ({ host: '127.0.0.1', port, user: 'some' }), onLost);
  await expect(opening).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(onLost).not.toHaveBeenCalled();
});
