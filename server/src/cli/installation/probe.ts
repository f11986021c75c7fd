import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import type { Config } from '../../config.ts';

const LIMIT_MS = 3_000;

/** The address at which this machine reaches the server; null where the port is chosen by a start. */
export function addressOf({ http: { host, port, tls } }: Config): string | null {
  if (port === 0) return null;
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http${tls ? 's' : ''}://${named.includes(':') ? `[${named}]` : named}:${port}`;
}

/** The status of a reply; null when there is none within the limit. */
export function probe(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const get = url.startsWith('https:') ? getHttps : getHttp;
    // The certificate is for the names that clients use, which may not be this one.
    const options = { timeout: LIMIT_MS, rejectUnauthorized: false, agent: false } as const;
    const request = get(url, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
  });
}
