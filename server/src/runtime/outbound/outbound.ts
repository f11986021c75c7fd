import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type Destination,
  type DestinationDeps,
  describe,
  destinationOf,
  OutboundError,
  pinned,
} from './destination.ts';
import { connectSocket, type SocketAddress } from './socket.ts';

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal: AbortSignal;
}

export interface OutboundRequest extends Post {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
}

export interface Answer {
  readonly status: number;
  /** The header as it came. */
  readonly retryAfter: string | null;
}

export interface AnswerWithBody extends Answer {
  /** Up to the limit of an answer. */
  readonly bytes: Buffer;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The one way out to addresses that users chose. */
export interface Outbound {
  /** Fails with an OutboundError, whose message may be shown to the user who chose the address. */
  post(url: string, post: Post): Promise<Answer>;
  /** A request whose answer is read. Fails in the same way. */
  request(url: string, request: OutboundRequest): Promise<AnswerWithBody>;
  /** A connection over TCP or TLS. Fails in the same way. */
  connect(address: SocketAddress, signal: AbortSignal): Promise<Duplex>;
}

export interface OutboundLimits {
  /** From the first look-up to the end of the answer. */
  readonly totalMs: number;
  readonly maxAnswerBytes: number;
}

export const OUTBOUND_LIMITS: OutboundLimits = { totalMs: 10_000, maxAnswerBytes: 64 * 1024 };

const MAX_HEADER_BYTES = 16 * 1024;

export interface OutboundDeps extends DestinationDeps {
  readonly limits?: OutboundLimits;
}

export function createOutbound(deps: OutboundDeps): Outbound {
  const { limits = OUTBOUND_LIMITS } = deps;
  async function request(text: string, given: OutboundRequest): Promise<AnswerWithBody> {
    const either = AbortSignal.any([given.signal, AbortSignal.timeout(limits.totalMs)]);
    const url = readUrl(text);
    const destination = await destinationOf(deps, url.hostname, either);
    try {
      return await send(url, destination, { ...given, signal: either }, limits);
    } catch (error) {
      throw describe(error, either, 'there was no answer');
    }
  }
  return {
    request,
    async post(url, post) {
      const { status, retryAfter } = await request(url, { ...post, method: 'POST' });
      return { status, retryAfter };
    },
    async connect(address, signal) {
      const either = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
      const destination = await destinationOf(deps, address.host, either);
      try {
        return await connectSocket(destination, address, either);
      } catch (error) {
        throw describe(error, either, 'there was no connection');
      }
    },
  };
}

function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError('the address cannot be read');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('only http and https are spoken');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('the address has credentials in it');
  }
  return url;
}

/** A new connection for each request: none is shared between those who chose their addresses. */
function send(
  url: URL,
  { host, addresses }: Destination,
  { method, headers, body, signal }: OutboundRequest,
  { maxAnswerBytes }: OutboundLimits,
): Promise<AnswerWithBody> {
  const length = { 'content-length': Buffer.byteLength(body) };
  const hasBody = method === 'POST' || method === 'PUT';
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)({
      method,
      host,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, ...(hasBody ? length : {}) },
      lookup: pinned(addresses),
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
    });
    // The status is the answer: what becomes of the rest does not change it.
    let answer: AnswerWithBody | undefined;
    const end = (error?: Error) => {
      if (answer) resolve(answer);
      else reject(error ?? new Error('the connection ended'));
      request.destroy();
    };
    request.on('error', end);
    request.on('close', end);
    request.on('response', (response) => {
      const begun = answerOf(response);
      answer = begun;
      const chunks: Buffer[] = [];
      void drain(response, maxAnswerBytes, chunks)
        .catch(() => undefined)
        .then(() => {
          const bytes = Buffer.concat(chunks);
          answer = { ...begun, bytes, text: bytes.toString() };
          end();
        });
    });
    // A server that switches protocols leaves a socket behind that nothing else would close.
    request.on('upgrade', (response, socket) => {
      answer = answerOf(response);
      socket.destroy();
      end();
    });
    request.end(hasBody ? body : undefined);
  });
}

function answerOf({ statusCode, headers }: IncomingMessage): AnswerWithBody {
  const retryAfter = headers['retry-after'] ?? null;
  return { status: statusCode ?? 0, retryAfter, bytes: Buffer.alloc(0), text: '', headers };
}

/** Reads an answer to its end, or to its limit. */
async function drain(response: IncomingMessage, maxBytes: number, chunks: Buffer[]): Promise<void> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) return;
    chunks.push(chunk as Buffer);
  }
}
