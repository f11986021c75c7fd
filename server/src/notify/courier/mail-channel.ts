import { createTransport } from 'nodemailer';
import type { Message } from '../telling/index.ts';
import { mailOf } from './mail.ts';
import type { Attempted } from './webhook-channel.ts';

export interface MailSettings {
  readonly smtp: { readonly url: string; readonly from: string } | null;
  readonly publicUrl: string | null;
}

export interface Letter {
  readonly deliveryId: string;
  readonly email: string;
  readonly message: Message;
}

/** The way to the operator's mail server. */
export interface MailChannel {
  send(letter: Letter): Promise<Attempted>;
  stop(): void;
}

const MAX_CONNECTIONS = 5;
const STEP_LIMIT_MS = 8_000;
const TOTAL_LIMIT_MS = 15_000;

const UNDELIVERABLE: Attempted = {
  status: null,
  error: 'undeliverable: no mail server is configured (FIELDWATCH_SMTP_URL)',
  isFinal: true,
  isOurs: true,
};

export function createMailChannel({ smtp, publicUrl }: MailSettings): MailChannel {
  if (smtp === null) return { send: async () => UNDELIVERABLE, stop: () => undefined };
  const transport = createTransport({
    pool: true,
    url: smtp.url,
    maxConnections: MAX_CONNECTIONS,
    maxRequeues: 0,
    dnsTimeout: STEP_LIMIT_MS,
    connectionTimeout: STEP_LIMIT_MS,
    greetingTimeout: STEP_LIMIT_MS,
    socketTimeout: STEP_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Told to whoever sends, too; without a listener it would end the process.
  transport.on('error', () => undefined);
  const domain = smtp.from.slice(smtp.from.lastIndexOf('@') + 1);
  return {
    async send({ deliveryId, email, message }) {
      const sending = transport.sendMail({
        ...mailOf(message, publicUrl),
        from: { name: 'Fieldwatch', address: smtp.from },
        to: { name: '', address: email },
        messageId: `<${deliveryId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Fieldwatch-Delivery': deliveryId },
      });
      try {
        const { response } = await within(TOTAL_LIMIT_MS, sending);
        return { status: codeIn(response), error: null, isFinal: true, isOurs: false };
      } catch (error) {
        return refusalOf(error);
      }
    },
    stop: () => transport.close({ force: true }),
  };
}

/**
 * A mail server that refuses the address for good need not be asked again. When it refuses us, what
 * it refuses may be right again once somebody has looked at it.
 */
function refusalOf(error: unknown): Attempted {
  const { code, command, responseCode } = Object(error) as Record<string, unknown>;
  const status = typeof responseCode === 'number' ? responseCode : null;
  const isFinal = command === 'RCPT TO' && status !== null && status >= 500;
  const detail = status ?? code;
  return { status, error: `the mail server did not take it (${detail})`, isFinal, isOurs: false };
}

function codeIn(response: string | undefined): number | null {
  const [, code] = /^(\d{3})\b/.exec(response ?? '') ?? [];
  return code === undefined ? null : Number(code);
}

function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => reject(late), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
