import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { plainTextWarnings } from './plain-text.ts';

function warnings(env: Record<string, string>): string[] {
  const result = readConfig(env);
  if ('problems' in result) throw new Error(result.problems.join());
  return plainTextWarnings(result.config).map((text) => text.split(' ')[0] ?? '');
}

const HTTP_TLS = { FIELDWATCH_HTTP_TLS_CERT: 'c', FIELDWATCH_HTTP_TLS_KEY: 'k' };
const MQTT_TLS = { FIELDWATCH_MQTT_TLS_CERT: 'c', FIELDWATCH_MQTT_TLS_KEY: 'k' };

describe('a start', () => {
  it.each([
    ['an open address without TLS', {}, ['HTTP', 'MQTT']],
    ['an open address with TLS for HTTP', HTTP_TLS, ['MQTT']],
    ['an open address with TLS for MQTT', MQTT_TLS, ['HTTP']],
    ['TLS for both', { ...HTTP_TLS, ...MQTT_TLS }, []],
    ['an IPv4 loopback address', { FIELDWATCH_HTTP_HOST: '127.0.0.1' }, []],
    ['an IPv6 loopback address', { FIELDWATCH_HTTP_HOST: '::1' }, []],
    ['the name of the loopback address', { FIELDWATCH_HTTP_HOST: 'localhost' }, []],
    ['a name that looks like one', { FIELDWATCH_HTTP_HOST: '127.example.com' }, ['HTTP', 'MQTT']],
    ['a trusted proxy', { FIELDWATCH_TRUST_PROXY: '1' }, ['MQTT']],
    ['a broker of its own', { FIELDWATCH_MQTT_URL: 'mqtt://broker' }, ['HTTP']],
  ])('with %s warns of %j', (_, env, expected) => {
    expect(warnings(env)).toEqual(expected);
  });
});
