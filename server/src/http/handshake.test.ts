import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY, HALF_CLIENT_HELLO } from '../../test/support/certificate.ts';
import { start, stopAfterEach } from '../../test/support/http.ts';
import { openRaw } from '../../test/support/mqtt.ts';

stopAfterEach();

const directory = mkdtempSync(join(tmpdir(), 'fieldwatch-handshake-'));
const tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
writeFileSync(tls.certFile, CERTIFICATE);
writeFileSync(tls.keyFile, CERTIFICATE_KEY);
afterAll(() => rmSync(directory, { recursive: true }));

it.each([
  ['nothing', Buffer.alloc(0)],
  ['half a ClientHello', HALF_CLIENT_HELLO],
])('a connection to HTTPS that sends %s is closed when its time is over', async (_, bytes) => {
  const url = await start([], { tls, limits: { handshakeTimeoutMs: 200 } });
  const client = await openRaw(Number(new URL(url).port));
  let received = 0;
  client.socket.on('data', (chunk) => {
    received += chunk.length;
  });
  client.send(bytes);
  await client.closed();
  expect(received).toBe(0);
});
