import { randomBytes } from 'node:crypto';
import { connect } from 'node:http2';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../runtime/index.ts';
import { startPeers } from './peers.ts';
import { PSK_IDENTITY, TLS_OPTIONS, widenWindow } from './protocol.ts';

it('a connection that breaks in the turn in which it opens ends no process', async () => {
  const key = randomBytes(32);
  const peers = await startPeers({
    nodeId: 'node',
    host: '127.0.0.1',
    port: 0,
    advertisedAddress: null,
    key,
    addressOf: () => undefined,
    log: createLog('silent'),
  });
  onTestFinished(() => peers.stop());
  const session = connect(`https://${peers.address}`, {
    ...TLS_OPTIONS,
    pskCallback: () => ({ psk: key, identity: PSK_IDENTITY }),
    checkServerIdentity: () => undefined,
  });
  // HTTP/2 reports the connection one tick after TLS does.
  session.socket.once('secureConnect', () => session.destroy());
  await new Promise((resolve) => session.once('connect', resolve));
  expect(session.destroyed).toBe(true);
  expect(() => widenWindow(session)).not.toThrow();
});
