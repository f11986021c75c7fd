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

export function createExchange(baseUrl: string, fetch: typeof globalThis.fetch): Exchange {
  const base = baseUrl.replace(/\/+$/, '');
  return async (operation, input, headers, signal) => {
    const { body } = input;
    const url = base + addressOf(operation, input);
    const init: RequestInit = {
      method: operation.method,
      headers: {
        accept: `${operation.reply.mediaType ?? 'application/json'}, application/problem+json`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      // The service knows no cookies; a browser must not add those of the page.
      credentials: 'omit',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const { reply, text } = await whole(() => fetch(url, init));
    return answerOf(operation, reply, text, 'if-none-match' in headers);
  };
}

/** The reply with its whole text: a body cut off on the way is a failed connection too. */
async function whole(send: () => Promise<Response>) {
  try {
    const reply = await send();
    return { reply, text: await reply.text() };
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
