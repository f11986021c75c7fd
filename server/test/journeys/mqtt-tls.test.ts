import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificate.ts';
import { mqttCalls, VERSIONS } from '../support/mqtt.ts';
import { startServer, type TestServer } from '../support/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'fieldwatch-tls-'));
const certFile = join(directory, 'cert.pem');
const keyFile = join(directory, 'key.pem');
writeFileSync(certFile, CERTIFICATE);
writeFileSync(keyFile, CERTIFICATE_KEY);

const withTls = (cert: string, key: string) =>
  startServer({ env: { FIELDWATCH_MQTT_TLS_CERT: cert, FIELDWATCH_MQTT_TLS_KEY: key } });

afterAll(() => rmSync(directory, { recursive: true }));

describe('MQTT with a certificate', () => {
  let server: TestServer;
  let calls: ReturnType<typeof mqttCalls>;

  beforeAll(async () => {
    server = await withTls(certFile, keyFile);
    calls = mqttCalls(server);
  });

  afterAll(async () => {
    await calls.endAll();
    await server.stop();
  });

  it.each(VERSIONS)('works over TLS in version %i', async (protocolVersion) => {
    const device = await calls.newDevice();
    const variable = await calls.newVariable(device.username, 'secure');
    const options = { protocolVersion, ca: CERTIFICATE };
    const client = await calls.signIn(device, options, `mqtts://localhost:${server.mqttPort}`);
    await client.publishAsync(device.topic, '{"secure":1}', { qos: 1 });
    expect(await calls.latest(variable)).toBe(1);
  });

  it('is refused without TLS', async () => {
    await expect(calls.signIn(await calls.newDevice())).rejects.toThrow();
  });
});

describe('a start with an invalid certificate', () => {
  it('names the wrong setting', async () => {
    const missing = join(directory, 'missing.pem');
    await expect(withTls(missing, keyFile)).rejects.toThrow(/^FIELDWATCH_MQTT_TLS_CERT: .*missing/);
    await expect(withTls(certFile, missing)).rejects.toThrow(/^FIELDWATCH_MQTT_TLS_KEY: .*missing/);
    await expect(withTls(keyFile, certFile)).rejects.toThrow(
      /^FIELDWATCH_MQTT_TLS_CERT and FIELDWATCH_MQTT_TLS_KEY are not/,
    );
  });
});
