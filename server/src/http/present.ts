import type { Operation } from '@fieldwatch/contract';
import { MEDIA_TYPES } from './accept.ts';
import { type SetCookie, setCookieText } from './browser.ts';
import { etagOf, isNotModified } from './etag.ts';
import { contentDisposition } from './file-name.ts';
import type { Chunks } from './handler.ts';

/** A reply as it goes over the wire. */
export interface Presented {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** The handler had the JSON in memory, so that it costs little to make it again. */
  readonly isFromMemory?: boolean;
  /** Instead of a body: what is sent as it comes. */
  readonly stream?: Chunks;
}

interface Answered {
  readonly body?: unknown;
  readonly csv?: Chunks;
  readonly parquet?: Chunks;
  readonly json?: string | Uint8Array;
  readonly columns?: Uint8Array;
  /** Of a file that is sent, without its extension. */
  readonly fileName?: string;
  readonly events?: AsyncIterable<string>;
  readonly revision?: number;
  readonly location?: string;
  readonly cookie?: SetCookie;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = `${MEDIA_TYPES.csv}; charset=utf-8`;
/** Neither a cache nor a buffering proxy may delay events. */
const EVENTS_HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** Secrets that are shown once are no part of the record and of its tag. */
const SHOWN_ONCE = ['credentials', 'secret', 'invitationToken'] as const;

function withoutSecrets(record: unknown, body: string): string {
  const given = Object(record) as Record<string, unknown>;
  if (!SHOWN_ONCE.some((name) => name in given)) return body;
  const { credentials, secret, invitationToken, ...rest } = given;
  return JSON.stringify(rest);
}

export function present(
  { method, reply }: Operation,
  answer: Answered,
  ifNoneMatch?: string,
): Presented {
  const cookie: Record<string, string> = answer.cookie
    ? { 'set-cookie': setCookieText(answer.cookie) }
    : {};
  if (reply.body === undefined) return { status: reply.status, headers: cookie, body: undefined };
  const stream = answer.csv ?? answer.parquet;
  if (stream) {
    const type = answer.csv ? CSV_TYPE : MEDIA_TYPES.parquet;
    const disposition = contentDisposition(
      answer.fileName ?? 'export',
      answer.csv ? 'csv' : 'parquet',
    );
    const headers = { 'content-type': type, vary: 'accept', 'content-disposition': disposition };
    return { status: reply.status, headers, body: undefined, stream };
  }
  const written = answer.json ?? answer.columns;
  if (written) {
    const type = answer.json ? JSON_TYPE : MEDIA_TYPES.columns;
    const vary: Record<string, string> = reply.csv || reply.columns ? { vary: 'accept' } : {};
    const headers = { 'content-type': type, ...vary };
    return { status: reply.status, headers, body: written, isFromMemory: true };
  }
  if (answer.events) {
    const headers = { 'content-type': reply.mediaType ?? JSON_TYPE, ...EVENTS_HEADERS };
    return { status: reply.status, headers, body: undefined, stream: answer.events };
  }
  const headers: Record<string, string> = {
    'content-type': reply.mediaType ?? JSON_TYPE,
    ...cookie,
  };
  if (answer.body instanceof Uint8Array) {
    if (reply.contentEncoding !== undefined) headers['content-encoding'] = reply.contentEncoding;
    return { status: reply.status, headers, body: answer.body };
  }
  const body = reply.mediaType === undefined ? JSON.stringify(answer.body) : String(answer.body);
  if (reply.csv) headers.vary = 'accept';
  if (answer.location !== undefined) headers.location = answer.location;
  if (reply.tagged && answer.revision !== undefined) {
    headers.etag = etagOf(answer.revision, withoutSecrets(answer.body, body));
    if (method === 'GET' && isNotModified(ifNoneMatch, headers.etag)) {
      return { status: 304, headers: { etag: headers.etag }, body: undefined };
    }
  }
  return { status: reply.status, headers, body };
}
