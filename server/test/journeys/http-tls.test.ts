import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose, type Service } from '../../src/compose/compose.ts';
import { readConfig } from '../../src/config.ts';
import { createLog, systemClock } from '../../src/runtime/index.ts';
import {
  CERTIFICATE,
  CERTIFICATE_KEY,
  RSA_CERTIFICATE,
  RSA_CERTIFICATE_KEY,
} from '../support/certificate.ts';
import { createTestDatabase } from '../support/postgres.ts';

const directory = mkdtempSync(join(tmpdir(), 'fieldwatch-https-'));
const certFile = join(directory, 'cert.pem');
const keyFile = join(directory, 'key.pem');
const lines: { msg: string }[] = [];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: Service;

function write(cert: string, key: string): void {
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
}

beforeAll(async () => {
  write(RSA_CERTIFICATE, RSA_CERTIFICATE_KEY);
  database = await createTestDatabase();
  const result = readConfig({
    FIELDWATCH_HTTP_HOST: '127.0.0.1',
    FIELDWATCH_HTTP_PORT: '0',
    FIELDWATCH_MQTT_PORT: '0',
    FIELDWATCH_HTTP_TLS_CERT: certFile,
    FIELDWATCH_HTTP_TLS_KEY: keyFile,
    FIELDWATCH_MQTT_TLS_CERT: certFile,
    FIELDWATCH_MQTT_TLS_KEY: keyFile,
    FIELDWATCH_DATA_DIR: join(directory, 'data'),
    FIELDWATCH_SECRET_KEY: 'a secret key for tests, 32 or more',
    DATABASE_URL: database.url,
  });
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  service = await compose(result.config, {
    clock: systemClock,
    log,
    onProgress: () => undefined,
    limits: { maxLagMs: 60_000, maxWaitingPerAddress: 3 },
  });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const ports = () => ({ HTTP: service.port, MQTT: service.mqttPort ?? 0 });

/** The certificate and protocol that a client gets, or the reason why it gets none. */
function handshake(port: number, options: ConnectionOptions = {}, after?: 'KEEP') {
  return new Promise<{ subject: string; cipher: string } | { refused: string }>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    socket.once('secureConnect', () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      resolve({ subject: fingerprint256, cipher: socket.getCipher().name });
      if (after !== 'KEEP') socket.destroy();
    });
    socket.on('error', ({ message }) => resolve({ refused: message }));
  });
}

function get(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; hsts: string | undefined; text: string }>(
    (resolve, reject) => {
      const sent = request(
        { port: service.port, host: '127.0.0.1', path, headers, rejectUnauthorized: false },
        async (response) => {
          let text = '';
          for await (const chunk of response) text += chunk;
          const hsts = response.headers['strict-transport-security'];
          resolve({ status: response.statusCode ?? 0, hsts, text });
        },
      );
      sent.on('error', reject);
      sent.end();
    },
  );
}

describe('HTTP with a certificate', () => {
  it('is answered over TLS, with Strict-Transport-Security', async () => {
    expect(await get('/readyz')).toMatchObject({ status: 200, hsts: 'max-age=31536000' });
  });

  it('is answered over TLS to a request that offers another protocol', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
    expect((await get('/healthz', headers)).status).toBe(200);
  });

  it('keeps the connection of a client with credentials when many others wait', async () => {
    const { bootstrap } = service;
    if (!bootstrap.created) throw new Error('the database was not empty');
    const { organizationId, apiKeyId, apiKeySecret } = bootstrap;
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    const headers = {
      authorization: `Basic ${Buffer.from(`${apiKeyId}:${apiKeySecret}`).toString('base64')}`,
    };
    const ask = () =>
      new Promise<[number | undefined, boolean]>((resolve, reject) => {
        const path = `/primary/v1/${organizationId}/devices`;
        const sent = request(
          { port: service.port, host: '127.0.0.1', path, headers, agent },
          (response) => {
            response.resume();
            response.once('end', () => resolve([response.statusCode, sent.reusedSocket]));
          },
        );
        sent.on('error', reject);
        sent.end();
      });
    expect(await ask()).toEqual([200, false]);
    for (let count = 0; count < 6; count += 1) await handshake(service.port, {}, 'KEEP');
    expect(await ask()).toEqual([200, true]);
    agent.destroy();
  });

  it('is not answered without TLS', async () => {
    await expect(fetch(`http://127.0.0.1:${service.port}/healthz`)).rejects.toThrow();
  });
});

describe.each(['HTTP', 'MQTT'] as const)('the TLS of %s', (name) => {
  it.each([
    ['without forward secrecy', 'AES128-GCM-SHA256'],
    ['without authenticated encryption', 'ECDHE-RSA-AES128-SHA256'],
    ['of finite fields', 'DHE-RSA-AES128-GCM-SHA256'],
  ])('refuses a client that offers only suites %s', async (_, ciphers) => {
    const offered = await handshake(ports()[name], { ciphers, maxVersion: 'TLSv1.2' });
    expect(offered).toMatchObject({ refused: expect.stringContaining('handshake failure') });
  });

  it('refuses TLS 1.1, and speaks 1.2 and 1.3', async () => {
    const port = ports()[name];
    const old = {
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    } as const;
    expect(await handshake(port, old)).toHaveProperty('refused');
    expect(await handshake(port, { maxVersion: 'TLSv1.2' })).toHaveProperty('cipher');
    expect(await handshake(port, { minVersion: 'TLSv1.3' })).toHaveProperty('cipher');
  });
});

it('a replaced certificate is served to new connections, and a bad pair is refused with one line', async () => {
  const subjects = async () =>
    Promise.all(
      Object.values(ports()).map(async (port) => {
        const seen = await handshake(port);
        return 'subject' in seen ? seen.subject : seen.refused;
      }),
    );
  const [before] = await subjects();
  const refusals = () => lines.filter(({ msg }) => msg.includes('certificate refused'));
  write(CERTIFICATE, RSA_CERTIFICATE_KEY);
  await expect.poll(() => refusals().length).toBe(2);
  expect(await subjects()).toEqual([before, before]);
  write(CERTIFICATE, CERTIFICATE_KEY);
  await expect.poll(async () => (await subjects()).includes(before ?? '')).toBe(false);
  const [http, mqtt] = await subjects();
  expect(http).toBe(mqtt);
  expect(refusals()).toHaveLength(2);
});
