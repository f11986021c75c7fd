import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import {
  COLUMNS_MEDIA_TYPE,
  ERRORS,
  type ErrorCode,
  type Operation,
  Problem,
} from '@fieldwatch/contract';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';

export interface Call {
  readonly auth?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  /** The text behind `?`. */
  readonly query?: string;
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

export function bearer(token: string): string {
  return `Bearer ${token}`;
}

/** Calls an operation over a real socket and holds the answer against the contract. */
export async function call(
  baseUrl: string,
  operation: Operation,
  given: Call = {},
): Promise<Answered> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(given.params?.[name] ?? ''),
  );
  const answered = await send(baseUrl, operation.method, path, given);
  checkAnswer(operation, answered);
  return answered;
}

/** Sends any request over a real socket. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  { auth, query, body, headers }: Call = {},
): Promise<Answered> {
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const {
    status,
    headers: given,
    text,
  } = await exchange(
    new URL(`${baseUrl}${path}${query === undefined ? '' : `?${query}`}`),
    method,
    {
      ...(auth === undefined ? {} : { authorization: auth }),
      ...(payload === undefined ? {} : payloadHeaders(payload)),
      ...headers,
    },
    payload,
  );
  const isJson = /json/.test(given.get('content-type') ?? '');
  const answered = {
    status,
    headers: given,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
  if (answered.status >= 400) checkProblem(answered);
  return answered;
}

/** The length is said: of a DELETE, node would send the body without it. */
function payloadHeaders(payload: string): OutgoingHttpHeaders {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
}

/** An idle connection is left before the server would leave it, so that no request meets its end. */
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** By `node:http`: `fetch` costs more than most answers, and tests make very many requests. */
function exchange(
  url: URL,
  method: string,
  headers: OutgoingHttpHeaders,
  body: string | undefined,
): Promise<Pick<Answered, 'status' | 'headers' | 'text'>> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (response) => {
      const answer = (text: string) =>
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text });
      // A stream of events has no end to wait for.
      if (response.headers['content-type'] === 'text/event-stream') {
        response.destroy();
        answer('');
      } else {
        textOf(response).then(answer, reject);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  return headers;
}

function checkAnswer({ id, reply }: Operation, answered: Answered): void {
  if (answered.status >= 400) return;
  if (answered.status === 304) {
    expect(answered.text).toBe('');
    return;
  }
  expect(answered.status, id).toBe(reply.status);
  if (reply.body === undefined) {
    expect(answered.text, id).toBe('');
  } else if (reply.mediaType === undefined) {
    const type = answered.headers.get('content-type');
    const isByColumn = reply.columns !== undefined && type === COLUMNS_MEDIA_TYPE;
    if (!isByColumn) expect(type).toBe('application/json; charset=utf-8');
    const schema = isByColumn ? reply.columns : reply.body;
    expect(schemaErrors(schema, answered.body), id).toEqual([]);
  }
  if (reply.status === 201) expect(answered.headers.get('location'), id).toMatch(/^\//);
  if (reply.tagged && reply.body) expect(answered.headers.get('etag'), id).toMatch(/^"[^"]+"$/);
}

/** Compares at once and in full only when something is wrong: tests make very many requests. */
function checkProblem({ status, headers, body }: Answered): void {
  const seen = {
    type: headers.get('content-type'),
    statuses: [body?.status, ERRORS[body?.code as ErrorCode]?.status],
    requestId: body?.requestId,
  };
  const wanted = {
    type: 'application/problem+json; charset=utf-8',
    statuses: [status, status],
    requestId: headers.get('x-request-id'),
  };
  if (JSON.stringify(seen) !== JSON.stringify(wanted)) expect(seen).toEqual(wanted);
  const errors = schemaErrors(Problem, body);
  if (errors.length > 0) expect(errors).toEqual([]);
}

const compiled = new Map<object, ReturnType<typeof Compile>>();

function schemaErrors(schema: object, value: unknown): unknown[] {
  const validator = compiled.get(schema) ?? Compile(schema as never);
  compiled.set(schema, validator);
  return validator.Check(value) ? [] : validator.Errors(value);
}
