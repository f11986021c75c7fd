import type { Operation } from '@fieldwatch/contract';
import { addressOf, type Input } from './address.ts';
import { ConnectionError, failureOf } from './errors.ts';

/** An answer as it came, before it is given its type. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly etag: string | null;
  readonly location: string | null;
  readonly requestId: string | null;
}

/** One request and its reply. Rejects with `FieldwatchError` or `ConnectionError`. */
export type Exchange = (
  operation: Operation,
  input: Input,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Answer>;

/** Sends one request; its reply may still be on the way. Rejects with `ConnectionError`. */
export type Send = (...sent: Parameters<Exchange>) => Promise<Response>;

export function createSend(baseUrl: string, fetch: typeof globalThis.fetch): Send {
  const base = baseUrl.replace(/\/+$/, '');
  return (operation, input, headers, signal) => {
    const { body } = input;
    const url = base + addressOf(operation, input);
    const init: RequestInit = {
      method: operation.method,
      headers: {
        accept: `${operation.reply.mediaType ?? 'application/json'}, application/problem+json`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      // A browser adds the cookie of the session where it is meant to, and no other.
      credentials: operation.usesCookie ? 'same-origin' : 'omit',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return orUnreachable(fetch(url, init));
  };
}

export function createExchange(send: Send): Exchange {
  return async (operation, input, headers, signal) => {
    const reply = await send(operation, input, headers, signal);
    // A body cut off on the way is a failed connection too.
    const text = await orUnreachable(reply.text());
    return answerOf(operation, reply, text, 'if-none-match' in headers);
  };
}

/** The reply of an operation that sends events, of which more will come. */
export async function openEvents(send: Send, ...sent: Parameters<Send>): Promise<Response> {
  const reply = await send(...sent);
  const isOurs = reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (reply.ok && isOurs) return reply;
  throw failureOf(reply.status, reply.headers, await orUnreachable(reply.text()));
}

export async function orUnreachable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ConnectionError('UNREACHABLE', 'The service cannot be reached.', cause);
  }
}

function answerOf(
  { reply: expected }: Operation,
  reply: Response,
  text: string,
  mayBeUnchanged: boolean,
): Answer {
  const { status, headers } = reply;
  const unchanged = status === 304 && mayBeUnchanged;
  if (status !== expected.status && !unchanged) throw failureOf(status, headers, text);
  return {
    status,
    body: unchanged || !expected.body ? undefined : bodyOf(expected.mediaType, reply, text),
    etag: headers.get('etag'),
    location: headers.get('location'),
    requestId: headers.get('x-request-id'),
  };
}

function bodyOf(mediaType: string | undefined, { status, headers }: Response, text: string) {
  if (mediaType !== undefined) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw failureOf(status, headers, text);
  }
}
