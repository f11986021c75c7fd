import { describe, expect, it } from 'vitest';
import { type Config, readConfig } from './config.ts';

function config(env: Record<string, string>): Config {
  const result = readConfig(env);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.config;
}

function problems(env: Record<string, string>): readonly string[] {
  const result = readConfig(env);
  return 'problems' in result ? result.problems : [];
}

describe('settings', () => {
  it('wants a new installation only when --new is given', () => {
    expect(readConfig({}, ['--new'])).toMatchObject({ config: { isNew: true } });
    expect(readConfig({}, [])).toMatchObject({ config: { isNew: false } });
  });

  it('have defaults that start a service', () => {
    expect(config({})).toMatchObject({
      http: { host: '0.0.0.0', port: 8080 },
      mqtt: { port: 1883 },
      databaseUrl: null,
      nodeAddress: null,
      logLevel: 'info',
      oidc: null,
      bootstrap: { organizationId: null, adminPassword: null, apiKeyId: null, apiKeySecret: null },
    });
  });

  it('are read from the environment', () => {
    expect(
      config({
        FIELDWATCH_HTTP_PORT: '0',
        FIELDWATCH_HTTP_HOST: '127.0.0.1',
        FIELDWATCH_DATA_DIR: '/srv/fieldwatch',
        DATABASE_URL: 'postgresql://user:secret@db/fieldwatch',
        FIELDWATCH_ORGANIZATION_ID: '018F0000-0000-7000-8000-000000000001',
        FIELDWATCH_OIDC_ISSUER: 'https://id.example.com',
        FIELDWATCH_OIDC_AUDIENCE: 'fieldwatch',
      }),
    ).toMatchObject({
      http: { host: '127.0.0.1', port: 0 },
      dataDir: '/srv/fieldwatch',
      databaseUrl: 'postgresql://user:secret@db/fieldwatch',
      bootstrap: { organizationId: '018f0000-0000-7000-8000-000000000001' },
      oidc: { issuer: 'https://id.example.com', audience: 'fieldwatch' },
    });
  });

  it('of a demo keep it in a directory of its own, away from what real data goes through', () => {
    const demo = { FIELDWATCH_DEMO: 'true' };
    expect(config({}).isDemo).toBe(false);
    expect(config({ ...demo, FIELDWATCH_DATA_DIR: '/srv/fieldwatch' })).toMatchObject({
      isDemo: true,
      dataDir: '/srv/fieldwatch-demo',
    });
    const shared = {
      DATABASE_URL: 'postgres://localhost/fieldwatch',
      FIELDWATCH_MQTT_URL: 'mqtt://localhost',
    };
    expect(problems(shared)).toEqual([]);
    expect(problems({ ...demo, ...shared })).toEqual([
      expect.stringContaining('DATABASE_URL must not be set for a demo'),
      expect.stringContaining('FIELDWATCH_MQTT_URL must not be set for a demo'),
    ]);
  });

  it('of an issuer name the client that people sign in by, where there is one', () => {
    const issuer = { FIELDWATCH_OIDC_ISSUER: 'https://id.example.com/realm' };
    const client = { FIELDWATCH_OIDC_CLIENT_ID: 'console' };
    expect(config({ ...issuer, FIELDWATCH_OIDC_AUDIENCE: 'api' }).oidc?.client).toBeNull();
    expect(config({ ...issuer, ...client }).oidc).toEqual({
      issuer: 'https://id.example.com/realm',
      audience: 'console',
      trustsEmail: false,
      client: { name: 'id.example.com', clientId: 'console', clientSecret: null },
    });
    expect(
      config({
        ...issuer,
        ...client,
        FIELDWATCH_OIDC_AUDIENCE: 'api',
        FIELDWATCH_OIDC_CLIENT_SECRET: 'secret',
        FIELDWATCH_OIDC_NAME: 'Example ID',
        FIELDWATCH_OIDC_TRUST_EMAIL: 'true',
      }).oidc,
    ).toMatchObject({
      audience: 'api',
      trustsEmail: true,
      client: { name: 'Example ID', clientSecret: 'secret' },
    });
    expect(problems(issuer)).toEqual([expect.stringContaining('FIELDWATCH_OIDC_AUDIENCE')]);
    expect(problems(client)).toEqual([expect.stringContaining('FIELDWATCH_OIDC_ISSUER')]);
  });

  it('of MQTT name an existing broker, a certificate with its key, and limits', () => {
    expect(config({}).mqtt).toEqual({
      port: 1883,
      tls: null,
      url: null,
      maxClients: 10_000,
      messagesPerSecond: 5_000,
    });
    expect(
      config({
        FIELDWATCH_MQTT_URL: 'mqtts://user:secret@broker:8883',
        FIELDWATCH_MQTT_TLS_CERT: 'cert.pem',
        FIELDWATCH_MQTT_TLS_KEY: 'key.pem',
        FIELDWATCH_MQTT_MAX_CLIENTS: '7',
        FIELDWATCH_MQTT_MESSAGES_PER_SECOND: '0',
      }).mqtt,
    ).toMatchObject({
      tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
      url: 'mqtts://user:secret@broker:8883',
      maxClients: 7,
      messagesPerSecond: 0,
    });
    expect(problems({ FIELDWATCH_MQTT_URL: 'http://broker' })).toEqual([
      'FIELDWATCH_MQTT_URL must be the address of an MQTT broker such as mqtt://user:password@host:1883.',
    ]);
    expect(problems({ FIELDWATCH_MQTT_TLS_KEY: 'key.pem' })).toEqual([
      'FIELDWATCH_MQTT_TLS_CERT must be set together with FIELDWATCH_MQTT_TLS_KEY.',
    ]);
    expect(problems({ FIELDWATCH_MQTT_TLS_CERT: 'cert.pem' })).toEqual([
      'FIELDWATCH_MQTT_TLS_KEY must be set together with FIELDWATCH_MQTT_TLS_CERT.',
    ]);
  });

  it('of notifications name a mail server with its sender, the public address and allowances', () => {
    expect(config({}).notify).toEqual({ smtp: null, publicUrl: null, outboundAllow: '' });
    expect(
      config({
        FIELDWATCH_SMTP_URL: 'smtp://user:secret@mail:587',
        FIELDWATCH_MAIL_FROM: 'alarms@example.org',
        FIELDWATCH_PUBLIC_URL: 'https://watch.example.org/base/',
        FIELDWATCH_OUTBOUND_ALLOW: '10.0.0.0/8,hooks.internal',
      }).notify,
    ).toEqual({
      smtp: { url: 'smtp://user:secret@mail:587', from: 'alarms@example.org' },
      publicUrl: 'https://watch.example.org/base',
      outboundAllow: '10.0.0.0/8,hooks.internal',
    });
  });

  it('name a tile server of maps with its attribution, or none', () => {
    const url = 'http://10.0.0.7:8090/tiles/{z}/{x}/{y}.png?key=a';
    const attribution = 'x'.repeat(200);
    expect(config({}).mapTiles).toBeNull();
    expect(
      config({ FIELDWATCH_MAP_TILES_URL: url, FIELDWATCH_MAP_TILES_ATTRIBUTION: attribution })
        .mapTiles,
    ).toEqual({ url, attribution });
    expect(problems({ FIELDWATCH_MAP_TILES_URL: url })).toEqual([
      'FIELDWATCH_MAP_TILES_ATTRIBUTION must be set together with FIELDWATCH_MAP_TILES_URL.',
    ]);
    expect(problems({ FIELDWATCH_MAP_TILES_ATTRIBUTION: 'x'.repeat(201) })).toHaveLength(1);
  });

  it.each([
    'https://tiles.example/{z}/{x}.png',
    'https://tiles.example/{z}/{x}/{y}/{y}.png',
    'https://{z}.tiles.example/{x}/{y}.png',
    'ftp://tiles.example/{z}/{x}/{y}.png',
    'https://tiles.example/{z}/{x}/{y}.png; script-src *',
    '/tiles/{z}/{x}/{y}.png',
  ])('refuse the tile server %s', (url) => {
    expect(problems({ FIELDWATCH_MAP_TILES_URL: url })[0]).toContain('FIELDWATCH_MAP_TILES_URL');
  });

  it('of notifications that are wrong are reported', () => {
    expect(problems({ FIELDWATCH_SMTP_URL: 'smtp://mail' })).toEqual([
      'FIELDWATCH_MAIL_FROM must be set together with FIELDWATCH_SMTP_URL.',
    ]);
    expect(
      problems({
        FIELDWATCH_SMTP_URL: 'http://user:canary@mail',
        FIELDWATCH_MAIL_FROM: 'nobody',
        FIELDWATCH_PUBLIC_URL: 'https://watch.example.org/?a=b',
        FIELDWATCH_OUTBOUND_ALLOW: 'http://host',
      }).map((sentence) => sentence.split(' ')[0]),
    ).toEqual([
      'FIELDWATCH_SMTP_URL',
      'FIELDWATCH_MAIL_FROM',
      'FIELDWATCH_PUBLIC_URL',
      'FIELDWATCH_OUTBOUND_ALLOW',
    ]);
  });

  it.each([
    ['10.0.0.5:7883', { host: '10.0.0.5', port: 7883 }],
    ['node-1.example.com:1', { host: 'node-1.example.com', port: 1 }],
    ['[fd00::5]:65535', { host: '[fd00::5]', port: 65_535 }],
  ])('name the address %s of this node', (text, nodeAddress) => {
    expect(readConfig({ FIELDWATCH_NODE_ADDRESS: text })).toMatchObject({
      config: { nodeAddress },
    });
  });

  it.each(['10.0.0.5', ':7883', 'host:0', 'host:65536', 'fd00::5:1', 'a/b:1', 'https://host:1'])(
    'refuse the address %s of a node by the name of its setting',
    (text) => {
      expect(readConfig({ FIELDWATCH_NODE_ADDRESS: text })).toEqual({
        problems: ['FIELDWATCH_NODE_ADDRESS must be a host and a port such as 10.0.0.5:7883.'],
      });
    },
  );

  it('that are empty count as absent', () => {
    expect(config({ FIELDWATCH_HTTP_PORT: '', DATABASE_URL: '' })).toEqual(config({}));
  });

  it('that are wrong are all listed, one sentence each, by name', () => {
    expect(
      problems({
        FIELDWATCH_HTTP_PORT: '65536',
        FIELDWATCH_MQTT_PORT: '-1',
        FIELDWATCH_LOG_LEVEL: 'loud',
        DATABASE_URL: 'mysql://db',
        FIELDWATCH_ORGANIZATION_ID: 'mine',
        FIELDWATCH_ADMIN_EMAIL: 'nobody',
        FIELDWATCH_ADMIN_PASSWORD: 'short',
        FIELDWATCH_API_KEY_ID: 'a:b',
        FIELDWATCH_API_KEY_SECRET: 'ends in space ',
        FIELDWATCH_SECRET_KEY: 'short',
        FIELDWATCH_OIDC_ISSUER: 'https://id.example.com',
        FIELDWATCH_REQUESTS_PER_MINUTE: 'many',
        FIELDWATCH_TRUST_PROXY: 'yes',
      }).map((sentence) => sentence.split(' ')[0]),
    ).toEqual([
      'FIELDWATCH_HTTP_PORT',
      'FIELDWATCH_MQTT_PORT',
      'DATABASE_URL',
      'FIELDWATCH_LOG_LEVEL',
      'FIELDWATCH_SECRET_KEY',
      'FIELDWATCH_ADMIN_EMAIL',
      'FIELDWATCH_ORGANIZATION_ID',
      'FIELDWATCH_ADMIN_PASSWORD',
      'FIELDWATCH_API_KEY_ID',
      'FIELDWATCH_API_KEY_SECRET',
      'FIELDWATCH_OIDC_AUDIENCE',
      'FIELDWATCH_REQUESTS_PER_MINUTE',
      'FIELDWATCH_TRUST_PROXY',
    ]);
  });

  it.each([
    ['0', []],
    ['65535', []],
    ['65536', ['FIELDWATCH_HTTP_PORT must be a port number from 0 to 65535.']],
    ['80a', ['FIELDWATCH_HTTP_PORT must be a port number from 0 to 65535.']],
  ])('take a port of %s as they should', (port, expected) => {
    expect(problems({ FIELDWATCH_HTTP_PORT: port })).toEqual(expected);
  });

  it.each([
    ['x'.repeat(31), 1],
    ['x'.repeat(32), 0],
    ['x'.repeat(33), 0],
    [`${'x'.repeat(40)} `, 1],
  ])('take %j as the secret of the first API key with %i problems', (secret, count) => {
    expect(problems({ FIELDWATCH_API_KEY_SECRET: secret })).toHaveLength(count);
  });

  it.each([
    ['eleven char', 'must have 12 to 256 characters'],
    ['password1234', 'must not be a common password'],
    ['Somebody@Example.com', 'must not be the email'],
  ])('refuse the administrator password %j', (password, problem) => {
    expect(
      problems({
        FIELDWATCH_ADMIN_EMAIL: 'somebody@example.com',
        FIELDWATCH_ADMIN_PASSWORD: password,
      }),
    ).toEqual([`FIELDWATCH_ADMIN_PASSWORD ${problem}.`]);
  });

  it('never repeat a secret in what they complain of', () => {
    const text = problems({
      DATABASE_URL: 'http://user:canary@db',
      FIELDWATCH_ADMIN_PASSWORD: 'canary',
      FIELDWATCH_API_KEY_SECRET: 'canary',
      FIELDWATCH_SECRET_KEY: 'canary',
    }).join('\n');
    expect(text).toContain('DATABASE_URL');
    expect(text).not.toContain('canary');
  });

  it('with an unknown name are reported, so that a slip of the pen is seen', () => {
    const result = readConfig({ FIELDWATCH_HTTP_PROT: '1', PATH: '/bin' });
    expect(result).toMatchObject({ unknown: ['FIELDWATCH_HTTP_PROT'] });
  });
});
