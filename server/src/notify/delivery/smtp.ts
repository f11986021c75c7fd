import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import SMTPConnection, {
  type SMTPConnectionAuth,
  type SMTPConnectionOptions,
} from 'nodemailer/lib/smtp-connection';
import { createDeferred } from '../../runtime/index.ts';

/** The mail server as its address says, in the terms of the library. */
export interface SmtpServer extends SMTPConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly auth?: SMTPConnectionAuth | undefined;
}

/** How long each part of an attempt may take; RFC 5321, section 4.5.3.2, names the least. */
export interface SmtpLimits {
  readonly connectMs: number;
  /** From the connection to the end of TLS and sign-in. */
  readonly setupMs: number;
  /** From MAIL to the answer to DATA. */
  readonly envelopeMs: number;
  /** From the first byte of the content to the answer to its end: 3 and 10 minutes. */
  readonly contentMs: number;
  /** How long a stop of the server waits for the answer to content that was sent. */
  readonly stopMs: number;
}

const MINUTE_MS = 60_000;

export const SMTP_LIMITS: SmtpLimits = {
  connectMs: 30_000,
  setupMs: 5 * MINUTE_MS,
  envelopeMs: 5 * MINUTE_MS,
  contentMs: 13 * MINUTE_MS,
  stopMs: 5_000,
};

const QUIT_MS = 2_000;

export interface SmtpMessage {
  readonly from: string;
  readonly to: string;
  readonly content: Buffer;
  /**
   * Called when the server is ready for the content. Nothing of it leaves unless this answers true:
   * it records that from now on the message may arrive.
   */
  readonly claim: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

export type SmtpResult =
  | { readonly kind: 'ACCEPTED'; readonly response: string }
  /** The server refused, or nothing of the content left. */
  | { readonly kind: 'NOT_SENT'; readonly error: unknown }
  /** The claim was not granted, or could not be recorded; nothing of the content left. */
  | { readonly kind: 'NOT_CLAIMED' }
  /** The content left, and no answer to it came. */
  | { readonly kind: 'UNKNOWN'; readonly error: unknown };

/**
 * Sends one message over a connection of its own. Whatever the result, the connection cannot
 * deliver the message afterwards: one that is given up is destroyed with what it still holds.
 */
export async function sendBySmtp(
  server: SmtpServer,
  message: SmtpMessage,
  limits: SmtpLimits,
): Promise<SmtpResult> {
  const socket = connect({ host: server.host, port: server.port });
  socket.on('error', () => undefined);
  const attempt = createAttempt(message, limits);
  const connection = new SMTPConnection({
    ...server,
    connection: socket,
    connectionTimeout: limits.setupMs,
    greetingTimeout: limits.setupMs,
    socketTimeout: limits.contentMs,
  });
  connection.on('error', attempt.fail);
  try {
    const response = await Promise.race([
      attempt.failure,
      converse({ socket, connection, server, attempt, message, limits }),
    ]);
    quit(connection, socket);
    return { kind: 'ACCEPTED', response };
  } catch (error) {
    socket.destroy();
    connection.close();
    if (attempt.isRefused()) return { kind: 'NOT_CLAIMED' };
    const isAnswered = typeof (Object(error) as Record<string, unknown>).responseCode === 'number';
    return { kind: attempt.isClaimed() && !isAnswered ? 'UNKNOWN' : 'NOT_SENT', error };
  } finally {
    attempt.end();
  }
}

type Attempt = ReturnType<typeof createAttempt>;

/** The state of one attempt: whether its content may have left, and until when it may go on. */
function createAttempt({ claim, signal }: SmtpMessage, { contentMs, stopMs }: SmtpLimits) {
  const { promise: failure, reject: fail } = createDeferred<never>();
  failure.catch(() => undefined);
  let isClaimed = false;
  let isRefused = false;
  let timer: NodeJS.Timeout | undefined;
  const limit = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(failureOf('ETIMEDOUT')), ms);
  };
  const onAbort = () => {
    if (isClaimed) limit(stopMs);
    else fail(failureOf('interrupted'));
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    failure,
    fail,
    limit,
    isClaimed: () => isClaimed,
    isRefused: () => isRefused,
    async claim(): Promise<void> {
      // Before the answer: a claim whose answer is lost may have been recorded.
      isClaimed = true;
      if (!(await claim().catch(() => false))) {
        isRefused = true;
        throw failureOf('not claimed');
      }
      limit(signal.aborted ? stopMs : contentMs);
    },
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

interface Conversation {
  readonly socket: Socket;
  readonly connection: SMTPConnection;
  readonly server: SmtpServer;
  readonly attempt: Attempt;
  readonly message: SmtpMessage;
  readonly limits: SmtpLimits;
}

async function converse(parts: Conversation): Promise<string> {
  const { socket, connection, server, attempt, message, limits } = parts;
  attempt.limit(limits.connectMs);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  attempt.limit(limits.setupMs);
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  const { auth } = server;
  if (auth) {
    await new Promise<void>((resolve, reject) => {
      connection.login({ ...auth }, (error) => (error ? reject(error) : resolve()));
    });
  }
  attempt.limit(limits.envelopeMs);
  const { from, to, content } = message;
  // Read by the connection only once the server has answered DATA.
  const stream = Readable.from(
    (async function* () {
      await attempt.claim();
      yield content;
    })(),
  );
  const envelope = { from, to, size: content.length };
  return await new Promise<string>((resolve, reject) => {
    connection.send(envelope, stream, (error, info) =>
      error || !info ? reject(error) : resolve(info.response),
    );
  });
}

function quit(connection: SMTPConnection, socket: Socket): void {
  connection.quit();
  setTimeout(() => socket.destroy(), QUIT_MS).unref();
}

function failureOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}
