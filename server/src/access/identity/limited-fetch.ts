import type { CustomFetch } from 'openid-client';
import type { Clock } from '../../runtime/index.ts';

const MAX_BYTES = 256 * 1024;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Keys and tokens that came over an unencrypted connection could be forged. */
export function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** Runs work; for a while after a failure it fails at once without running it. */
export type CoolDown = <T>(work: () => Promise<T>) => Promise<T>;

/** Keeps requests from waiting in vain for a service that is unavailable. */
export function createCoolDown(clock: Clock, coolDownMs: number): CoolDown {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (work) => {
    const sinceFailure = clock.now() - failedAt;
    if (sinceFailure >= 0 && sinceFailure < coolDownMs) throw new Error('it failed a moment ago');
    try {
      return await work();
    } catch (error) {
      failedAt = clock.now();
      throw error;
    }
  };
}

/**
 * The only fetch for the issuer, also inside of the OpenID Connect client: https or this machine
 * alone, no redirects, and no more than 256 KiB of a response.
 */
export const guardedFetch: CustomFetch = async (url, { body, headers, method, signal }) => {
  if (!isSafeUrl(url)) throw new Error('only https URLs are fetched');
  const request: RequestInit = { method, headers, redirect: 'error' };
  if (body !== undefined && body !== null) request.body = body as NonNullable<RequestInit['body']>;
  if (signal) request.signal = signal;
  const response = await fetch(url, request);
  const bytes = await bytesOf(response);
  const { status } = response;
  return new Response(bytes.length === 0 ? null : bytes, { status, headers: response.headers });
};

/** Fetches a small JSON document; any status but 200 is a failure. */
export async function fetchLimited(url: string, signal: AbortSignal): Promise<Response> {
  const response = await guardedFetch(url, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
    signal,
  });
  if (response.status !== 200) throw new Error(`the response is ${response.status}`);
  return response;
}

async function bytesOf(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new Error(`the response is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
