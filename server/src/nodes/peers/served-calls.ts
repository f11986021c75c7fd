import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { Failure, type Log } from '../../runtime/index.ts';
import { announcedLength, readBody } from './body.ts';
import { encodeFailure, failedElsewhere } from './failure-codec.ts';
import type { PeerLimits } from './limits.ts';
import { CALLER_HEADER, STATUS_ANSWERED, STATUS_FAILED, TARGET_HEADER } from './protocol.ts';

/** Answers a call of another node. */
export type PeerHandler = (body: Buffer, callerId: string) => Promise<Buffer>;

interface ServedDeps {
  readonly nodeId: string;
  readonly log: Log;
  readonly limits: PeerLimits;
}

/** A call that its headers announce. */
interface Incoming {
  readonly method: string;
  readonly handler: PeerHandler;
  readonly callerId: string;
  readonly length: number;
}

/** The calls of other nodes, received and handled within the limits of this one. */
export class ServedCalls {
  readonly #deps: ServedDeps;
  readonly #handlers = new Map<string, PeerHandler>();
  #calls = 0;
  #bytes = 0;

  constructor(deps: ServedDeps) {
    this.#deps = deps;
  }

  register(method: string, handler: PeerHandler): void {
    if (this.#handlers.has(method)) throw new Error(`the method ${method} has a handler already`);
    this.#handlers.set(method, handler);
  }

  /** Receives and answers a call, or refuses it before a handler sees it. */
  readonly handle = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void => {
    stream.on('error', (error) => this.#deps.log.debug({ err: error }, 'a call of a node failed'));
    const call = this.#incoming(headers);
    if (typeof call === 'string') {
      this.#deps.log.debug({ reason: call }, 'a call of a node was refused');
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    void this.#serve(stream, call);
  };

  /** Reads the headers of a call; a text says why it is refused. */
  #incoming(headers: IncomingHttpHeaders): Incoming | string {
    const { nodeId, limits } = this.#deps;
    const method = headers[':path']?.slice(1) ?? '';
    const handler = this.#handlers.get(method);
    const callerId = headers[CALLER_HEADER];
    const length = announcedLength(headers['content-length'], limits.maxBodyBytes);
    if (headers[TARGET_HEADER] !== nodeId) return 'it is for another node';
    if (!handler || typeof callerId !== 'string') return 'there is no such method';
    if (length === null) return 'its body is too large';
    if (this.#calls >= limits.maxServedCalls) return 'too many calls are handled';
    if (this.#bytes + length > limits.maxServedBytes) return 'too many bytes are handled';
    return { method, handler, callerId, length };
  }

  async #serve(stream: ServerHttp2Stream, call: Incoming): Promise<void> {
    const { stallTimeoutMs } = this.#deps.limits;
    this.#calls += 1;
    this.#bytes += call.length;
    const giveUp = () => stream.close(constants.NGHTTP2_CANCEL);
    try {
      stream.setTimeout(stallTimeoutMs, giveUp);
      const body = await readBody(stream, call.length);
      if (!body) return giveUp();
      stream.setTimeout(0, giveUp);
      const { status, answer } = await this.#answer(call, body);
      if (stream.destroyed || stream.closed) return;
      stream.setTimeout(stallTimeoutMs, giveUp);
      respond(stream, { ':status': status, 'content-length': String(answer.length) }, answer);
    } finally {
      this.#calls -= 1;
      this.#bytes -= call.length;
    }
  }

  async #answer({ method, handler, callerId }: Incoming, body: Buffer) {
    const { log, limits } = this.#deps;
    try {
      const answer = await handler(body, callerId);
      if (answer.length <= limits.maxBodyBytes) return { status: STATUS_ANSWERED, answer };
      log.error({ method, bytes: answer.length }, 'the answer to another node is too large');
    } catch (error) {
      if (error instanceof Failure) return { status: STATUS_FAILED, answer: encodeFailure(error) };
      log.error({ err: error, method, callerId }, 'a call of another node failed');
    }
    return { status: STATUS_FAILED, answer: encodeFailure(failedElsewhere()) };
  }
}

function respond(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders, answer: Buffer): void {
  stream.respond(headers, { endStream: answer.length === 0 });
  if (answer.length > 0) stream.end(answer);
}
