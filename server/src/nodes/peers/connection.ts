import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { announcedLength, readBody } from './body.ts';
import { decodeFailure } from './failure-codec.ts';
import type { PeerLimits } from './limits.ts';
import { PeerSilent, PeerUnreachable } from './peer-failures.ts';
import {
  CALLER_HEADER,
  PSK_IDENTITY,
  SOCKET_OPTIONS,
  STATUS_ANSWERED,
  STATUS_FAILED,
  sessionOptions,
  TARGET_HEADER,
  TLS_OPTIONS,
  widenWindow,
} from './protocol.ts';

export interface Dial {
  readonly address: string;
  readonly key: Buffer;
  /** The node that calls. */
  readonly callerId: string;
  /** The node that is called. Whoever else has its address by now refuses. */
  readonly targetId: string;
  readonly limits: PeerLimits;
  readonly onClose: () => void;
}

/** A call that was sent. */
export interface Exchange {
  readonly answer: Promise<Buffer>;
  /** Nobody waits for the answer any more. */
  cancel(): void;
}

/** A connection to another node. Its calls go over it side by side. */
export class Connection {
  readonly address: string;
  /** Rejects with the reason when it cannot be opened or that takes long. */
  readonly opened: Promise<void>;
  readonly #session: ClientHttp2Session;
  readonly #dial: Dial;
  #exchanges = 0;
  #pinger: NodeJS.Timeout | undefined;
  #isPingLost = false;

  constructor(dial: Dial) {
    this.address = dial.address;
    this.#dial = dial;
    this.#session = connect(`https://${dial.address}`, {
      ...SOCKET_OPTIONS,
      ...TLS_OPTIONS,
      ...sessionOptions(dial.limits),
      pskCallback: () => ({ psk: dial.key, identity: PSK_IDENTITY }),
      // There is no certificate: the handshake itself fails with another key.
      checkServerIdentity: () => undefined,
    });
    this.#session.once('close', () => {
      clearInterval(this.#pinger);
      dial.onClose();
    });
    this.opened = openingOf(this.#session, dial.limits.connectTimeoutMs);
  }

  get isUsable(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** Sends a call. Its answer rejects with PeerUnreachable or PeerSilent, or the handler's failure. */
  send(method: string, body: Buffer): Exchange {
    const { callerId, targetId, limits } = this.#dial;
    const stream = this.#session.request(
      {
        ':method': 'POST',
        ':path': `/${method}`,
        [CALLER_HEADER]: callerId,
        [TARGET_HEADER]: targetId,
        'content-length': String(body.length),
      },
      { endStream: body.length === 0 },
    );
    if (body.length > 0) stream.end(body);
    this.#watch(stream);
    return {
      answer: answerOf(stream, limits.maxBodyBytes),
      cancel: () => stream.close(constants.NGHTTP2_CANCEL),
    };
  }

  /** While calls are on the connection, it is tried whether the other node is there. */
  #watch(stream: ClientHttp2Stream): void {
    this.#exchanges += 1;
    stream.once('close', () => {
      this.#exchanges -= 1;
    });
    this.#pinger ??= setInterval(() => this.#ping(), this.#dial.limits.pingIntervalMs).unref();
  }

  #ping(): void {
    // A connection that is broken already reports its end a moment later.
    if (this.#session.destroyed) return;
    if (this.#isPingLost) {
      this.#session.destroy(new Error('the other node does not answer'));
      return;
    }
    if (this.#exchanges === 0) {
      clearInterval(this.#pinger);
      this.#pinger = undefined;
      return;
    }
    this.#isPingLost = true;
    this.#session.ping((error) => {
      if (!error) this.#isPingLost = false;
    });
  }

  /** Calls on it may end; new ones go elsewhere. */
  close(): void {
    this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }
}

function openingOf(session: ClientHttp2Session, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => session.destroy(new Error('the connection took too long')),
      timeoutMs,
    );
    session.on('error', reject);
    session.once('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was closed'));
    });
    session.once('connect', () => {
      clearTimeout(timer);
      widenWindow(session);
      resolve();
    });
  });
}

async function answerOf(stream: ClientHttp2Stream, maxBytes: number): Promise<Buffer> {
  let problem: unknown;
  stream.on('error', (error) => {
    problem = error;
  });
  const headers = await responseOf(stream);
  const length = headers && announcedLength(headers['content-length'], maxBytes);
  const body = typeof length === 'number' ? await readBody(stream, length) : null;
  if (headers && body) {
    if (headers[':status'] === STATUS_ANSWERED) return body;
    if (headers[':status'] === STATUS_FAILED) throw decodeFailure(body);
  }
  if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  const isRefused = stream.id === undefined || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  throw isRefused ? new PeerUnreachable(problem) : new PeerSilent(problem);
}

/** The headers of the answer; null when there is none. */
function responseOf(
  stream: ClientHttp2Stream,
): Promise<(IncomingHttpHeaders & { ':status'?: number }) | null> {
  return new Promise((resolve) => {
    stream.once('response', resolve);
    stream.once('close', () => resolve(null));
  });
}
