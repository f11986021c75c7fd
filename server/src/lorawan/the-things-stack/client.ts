import type { Outbound } from '../../runtime/index.ts';
import { shownAnswer } from '../shown-answer.ts';

/** The interface of The Things Stack v3, and the key that it is called with. */
export interface TheThingsStackServer {
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly url: string;
  readonly token: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A call that The Things Stack did not do, with what it said, as it may be shown. */
export class RefusedCall extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const isDone = (status: number) => status >= 200 && status < 300;

/** The fields of a text in JSON; none where it is something else. */
export function parsed(text: string): Fields {
  try {
    return Object(JSON.parse(text)) as Fields;
  } catch {
    return {};
  }
}

export const fieldsIn = (value: unknown): Fields => Object(value ?? {}) as Fields;

export async function send(
  { outbound, url, token, signal }: TheThingsStackServer,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<HttpAnswer> {
  return await outbound.request(new URL(`/api/v3/${path}`, url).href, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? '' : JSON.stringify(body),
    signal,
  });
}

/** What the server said, without these secrets. */
export function messageOf({ text }: HttpAnswer, secrets: readonly string[]): string {
  const { message } = parsed(text);
  return shownAnswer(typeof message === 'string' ? message : text, secrets);
}

/** A call that is done, or fails with a RefusedCall. */
export async function call(
  server: TheThingsStackServer,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Fields> {
  const answer = await send(server, method, path, body);
  if (!isDone(answer.status)) {
    throw new RefusedCall(answer.status, messageOf(answer, [server.token]));
  }
  return parsed(answer.text);
}
