import type { Http2Session } from 'node:http2';
import type { SecureVersion } from 'node:tls';
import type { PeerLimits } from './limits.ts';

/*
 * Calls between nodes are HTTP/2 requests: `POST /<method>` with the ids of both nodes in headers. The
 * answer is a response with status 200, or with status 500 and an encoded failure. A stream that is
 * closed with REFUSED_STREAM did not reach a handler, as in HTTP/2 itself.
 *
 * The connection is TLS 1.2 with a pre-shared key: both sides prove that they have the key that is
 * derived from the secret of the installation, and there are no certificates to issue and renew.
 */

export const CALLER_HEADER = 'fieldwatch-caller';
export const TARGET_HEADER = 'fieldwatch-target';
export const STATUS_ANSWERED = 200;
export const STATUS_FAILED = 500;

const METHOD = /^[a-z][a-z0-9-]{0,63}$/;

export function isMethod(text: string): boolean {
  return METHOD.test(text);
}

/** TLS 1.2, because Node passes pre-shared keys to no later version. */
const VERSION: SecureVersion = 'TLSv1.2';
export const TLS_OPTIONS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: VERSION,
  maxVersion: VERSION,
  // The key authenticates both sides: without this, Node would parse all its root certificates.
  ca: [] as string[],
} as const;
export const PSK_IDENTITY = 'fieldwatch';

/** What TLS reports on either side when the keys differ. */
export function isOtherKey(error: unknown): boolean {
  const { code = '' } = Object(error) as { code?: string };
  return /BAD_RECORD_MAC|DECRYPT_ERROR|DIGEST_CHECK_FAILED/.test(code);
}

/** The log line of both sides, with the address of the other. */
export const OTHER_KEY = 'a node has another secret key; the connection is refused';

/** Data that may be under way without an acknowledgement, on a connection and on each stream. */
const WINDOW_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 1_024;
const MAX_HEADERS = 16;

export function sessionOptions(limits: PeerLimits) {
  return {
    // In megabytes. Node refuses new streams beyond it, and has 10 by default.
    maxSessionMemory: Math.ceil(limits.maxBytesInFlight / 1e6) + 64,
    maxHeaderListPairs: MAX_HEADERS,
    settings: {
      enablePush: false,
      initialWindowSize: WINDOW_BYTES,
      maxHeaderListSize: MAX_HEADER_BYTES,
      maxConcurrentStreams: limits.maxServedCalls,
    },
  };
}

/** Lets large bodies arrive without pauses. A connection can break in the turn in which it opens. */
export function widenWindow(session: Http2Session): void {
  if (!session.destroyed) session.setLocalWindowSize(WINDOW_BYTES);
}

/** The system closes connections whose other end has vanished, also those without calls. */
export const SOCKET_OPTIONS = {
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
} as const;
