import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from './signature.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const body = '{"type":"alarm.raised","data":{"name":"Öl 😀"}}';
const signed = { id: 'some-id', timestamp: Math.floor(Date.now() / 1000), body };

describe('the signature of a delivery', () => {
  it('is that of Standard Webhooks, by each of the secrets', () => {
    const [one, other] = [newSecret(), newSecret()];
    const headers = signedHeaders(signed, [one, other]);
    expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(other).verify(body, headers)).toEqual(JSON.parse(body));
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  it('fails for another secret, another body, another id or another time', () => {
    const secret = newSecret();
    const headers = signedHeaders(signed, [secret]);
    const verify = (by: string, text: string, changed = {}) =>
      new Webhook(by).verify(text, { ...headers, ...changed });
    expect(() => verify(newSecret(), body)).toThrow();
    expect(() => verify(secret, `${body} `)).toThrow();
    expect(() => verify(secret, body, { 'webhook-id': 'other' })).toThrow();
    const late = String(signed.timestamp + 1);
    expect(() => verify(secret, body, { 'webhook-timestamp': late })).toThrow();
  });

  it('is verified by the lines of Node in docs/notifications.md', async () => {
    const page = new URL('../../../../docs/notifications.md', import.meta.url);
    const [, lines = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(lines)}`);
    const [one, other] = [newSecret(), newSecret()];
    const headers = signedHeaders(signed, [one, other]);
    expect(isGenuine(one, headers, body)).toBe(true);
    expect(isGenuine(other, headers, body)).toBe(true);
    expect(isGenuine(newSecret(), headers, body)).toBe(false);
    expect(isGenuine(one, headers, `${body} `)).toBe(false);
    const old = signedHeaders({ ...signed, timestamp: signed.timestamp - 301 }, [one]);
    expect(isGenuine(one, old, body)).toBe(false);
  });
});
