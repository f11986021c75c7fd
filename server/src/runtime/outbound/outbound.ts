import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Allowed, hostName } from './allowed.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly Address[]>;

interface Address {
  readonly address: string;
  readonly family: number;
}

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** The header as it came. */
  readonly retryAfter: string | null;
}

/** The one way out to addresses that users chose. */
export interface Outbound {
  /** Fails with an OutboundError, whose message may be shown to the user who chose the address. */
  post(url: string, post: Post): Promise<Answer>;
}

/** Why there was no answer, in words for a person. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

export interface OutboundLimits {
  /** From the first look-up to the end of the answer. */
  readonly totalMs: number;
  readonly maxAnswerBytes: number;
}

export const OUTBOUND_LIMITS: OutboundLimits = { totalMs: 10_000, maxAnswerBytes: 64 * 1024 };

const MAX_HEADER_BYTES = 16 * 1024;

export interface OutboundDeps {
  readonly allowed: Allowed;
  readonly resolve?: Resolve;
  readonly limits?: OutboundLimits;
}

const resolveAll: Resolve = (name) => lookup(name, { all: true });

interface Destination {
  readonly url: URL;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly addresses: readonly Address[];
}

export function createOutbound(deps: OutboundDeps): Outbound {
  const { resolve = resolveAll, limits = OUTBOUND_LIMITS } = deps;

  /** Looks a name up once; what was looked at is what is connected to. */
  async function destinationOf(text: string, signal: AbortSignal): Promise<Destination> {
    const url = readUrl(text);
    const host = hostName(url.hostname.replaceAll(/^\[|\]$/g, ''));
    const family = isIP(host);
    const addresses =
      family === 0 ? await resolved(host, signal) : [{ address: host, family } as const];
    if (addresses.length === 0) throw new OutboundError('the host has no address');
    const isAllowed =
      (family === 0 && deps.allowed.host(host)) ||
      addresses.every(({ address }) => deps.allowed.address(address));
    if (!isAllowed) throw new OutboundError('the address is not a public one, and not allowed');
    return { url, host, addresses };
  }

  async function resolved(name: string, signal: AbortSignal): Promise<readonly Address[]> {
    try {
      return await Promise.race([resolve(name), rejectionOf(signal)]);
    } catch (error) {
      throw describe(error, signal, 'the host name could not be resolved');
    }
  }

  return {
    async post(text, { headers, body, signal }) {
      const timeout = AbortSignal.timeout(limits.totalMs);
      const either = AbortSignal.any([signal, timeout]);
      const destination = await destinationOf(text, either);
      try {
        return await send(destination, { headers, body, signal: either }, limits);
      } catch (error) {
        throw describe(error, either, 'there was no answer');
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
  { url, host, addresses }: Destination,
  { headers, body, signal }: Post,
  { maxAnswerBytes }: OutboundLimits,
): Promise<Answer> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)({
      method: 'POST',
      host,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      lookup: pinned(addresses),
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
    });
    // The status is the answer: what becomes of the rest does not change it.
    let answer: Answer | undefined;
    const end = (error?: Error) => {
      if (answer) resolve(answer);
      else reject(error ?? new Error('the connection ended'));
      request.destroy();
    };
    request.on('error', end);
    request.on('close', end);
    request.on('response', (response) => {
      answer = answerOf(response);
      void drain(response, maxAnswerBytes)
        .catch(() => undefined)
        .then(() => end());
    });
    // A server that switches protocols leaves a socket behind that nothing else would close.
    request.on('upgrade', (response, socket) => {
      answer = answerOf(response);
      socket.destroy();
      end();
    });
    request.end(body);
  });
}

function answerOf({ statusCode, headers }: IncomingMessage): Answer {
  return { status: statusCode ?? 0, retryAfter: headers['retry-after'] ?? null };
}

/** A DNS lookup that always returns the address that was resolved and checked before. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_name, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
  };
}

/** Reads an answer to its end, or to its limit. */
async function drain(response: IncomingMessage, maxBytes: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) return;
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Texts for error codes that reveal nothing about the network behind the server. */
function describe(error: unknown, signal: AbortSignal, otherwise: string): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) {
    const isLate = Object(signal.reason).name === 'TimeoutError';
    return new OutboundError(isLate ? 'there was no answer in time' : 'it was interrupted');
  }
  const { code } = Object(error) as { code?: unknown };
  return new OutboundError(typeof code === 'string' ? `${otherwise} (${code})` : otherwise, {
    cause: error,
  });
}
