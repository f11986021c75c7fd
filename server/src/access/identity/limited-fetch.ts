import type { Clock } from '../../runtime/index.ts';

const MAX_BYTES = 256 * 1024;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Keys that came over an open line could be anyone's. */
export function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** Runs work, but for a while after a failure only fails. */
export type CoolDown = <T>(work: () => Promise<T>) => Promise<T>;

/** So that not every request waits in vain for a service that is away. */
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

/** Fetches a small JSON document: no redirects, no more than 256 KiB, nothing but 200. */
export async function fetchLimited(
  url: string,
  signal: AbortSignal,
  authorization: string | null = null,
): Promise<Response> {
  if (!isSafeUrl(url)) throw new Error('only https URLs are fetched');
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json', ...(authorization === null ? {} : { authorization }) },
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the answer is ${response.status}`);
  }
  return new Response(await bytesOf(response));
}

export interface Posted {
  readonly status: number;
  /** Null when it is no JSON. */
  readonly body: unknown;
}

/** Sends a form and reads the small JSON document that answers it, whatever its status. */
export async function postForm(
  url: string,
  form: Readonly<Record<string, string>>,
  authorization: string | null,
  signal: AbortSignal,
): Promise<Posted> {
  if (!isSafeUrl(url)) throw new Error('forms are sent to https URLs alone');
  const response = await fetch(url, {
    method: 'POST',
    signal,
    redirect: 'error',
    headers: { accept: 'application/json', ...(authorization === null ? {} : { authorization }) },
    body: new URLSearchParams(form),
  });
  const text = (await bytesOf(response)).toString();
  return { status: response.status, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function bytesOf(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
