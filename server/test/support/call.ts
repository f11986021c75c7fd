import { ERRORS, type ErrorCode, type Operation, Problem } from '@fieldwatch/contract';
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
  const response = await fetch(`${baseUrl}${path}${query === undefined ? '' : `?${query}`}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(auth === undefined ? {} : { authorization: auth }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await textOf(response);
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const answered = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
  if (answered.status >= 400) checkProblem(answered);
  return answered;
}

/** A stream of events has no end to wait for. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  await response.body?.cancel();
  return '';
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
    expect(answered.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(schemaErrors(reply.body, answered.body), id).toEqual([]);
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
