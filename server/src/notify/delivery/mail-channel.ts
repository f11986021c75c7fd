import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import type { Letter, UnsubscribeUrl } from './letter.ts';
import { mailOf } from './mail.ts';
import { headersOf } from './mail-headers.ts';
import { withPage } from './page-mail.ts';
import {
  SMTP_LIMITS,
  type SmtpLimits,
  type SmtpResult,
  type SmtpServer,
  sendBySmtp,
} from './smtp.ts';
import type { Attempted } from './webhook-channel.ts';

export interface MailSettings {
  readonly smtp: { readonly url: string; readonly from: string } | null;
  readonly publicUrl: string | null;
}

/** The way to the operator's mail server. */
export interface MailChannel {
  /** Null when this attempt was not the one to send the message. */
  send(letter: Letter): Promise<Attempted | null>;
}

export interface MailDeps {
  readonly settings: MailSettings;
  readonly unsubscribeUrl: UnsubscribeUrl;
  readonly limits?: SmtpLimits;
}

const UNDELIVERABLE: Attempted = {
  status: null,
  error: 'undeliverable: no mail server is configured (FIELDWATCH_SMTP_URL)',
  isFinal: true,
  isOurs: true,
};

export function createMailChannel(deps: MailDeps): MailChannel {
  const { settings, unsubscribeUrl, limits = SMTP_LIMITS } = deps;
  const { smtp, publicUrl } = settings;
  if (smtp === null) return { send: async () => UNDELIVERABLE };
  const server = serverOf(smtp.url);
  const domain = smtp.from.slice(smtp.from.lastIndexOf('@') + 1);
  return {
    async send(letter) {
      const { email, message, claim, signal } = letter;
      const composer = new MailComposer({
        ...withPage(mailOf(message, publicUrl), message.page, publicUrl),
        ...headersOf(letter, domain, unsubscribeUrl),
        from: { name: 'Fieldwatch', address: smtp.from },
        to: { name: '', address: email },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const content = await composer.compile().build();
      const sending = { from: smtp.from, to: email, content, claim, signal };
      const result = await sendBySmtp(server, sending, limits);
      return result.kind === 'NOT_CLAIMED' ? null : attemptedOf(result);
    },
  };
}

function serverOf(url: string): SmtpServer {
  const options = parseConnectionUrl(url) as Partial<SmtpServer>;
  const { host = 'localhost', port = options.secure ? 465 : 587 } = options;
  return { ...options, host, port };
}

function attemptedOf(result: Exclude<SmtpResult, { kind: 'NOT_CLAIMED' }>): Attempted {
  if (result.kind === 'ACCEPTED') {
    return { status: codeIn(result.response), error: null, isFinal: true, isOurs: false };
  }
  if (result.kind === 'UNKNOWN') {
    const error = `the mail server did not confirm the message, which may have arrived (${reasonOf(result.error)})`;
    return { status: null, error, isFinal: false, isOurs: false, isUnknown: true };
  }
  return refusalOf(result.error);
}

/**
 * A mail server that refuses the address for good need not be asked again. When it refuses us, what
 * it refuses may be right again once somebody has looked at it.
 */
function refusalOf(error: unknown): Attempted {
  const { command, responseCode } = Object(error) as Record<string, unknown>;
  const status = typeof responseCode === 'number' ? responseCode : null;
  const isFinal = command === 'RCPT TO' && status !== null && status >= 500;
  const detail = `the mail server did not take it (${status ?? reasonOf(error)})`;
  return { status, error: detail, isFinal, isOurs: false };
}

/** The code of a system error says more than the one that the library puts over it. */
function reasonOf(error: unknown): string {
  const { originalCode, code } = Object(error) as Record<string, unknown>;
  return String(originalCode ?? code ?? 'unknown');
}

function codeIn(response: string): number | null {
  const [, code] = /^(\d{3})\b/.exec(response) ?? [];
  return code === undefined ? null : Number(code);
}
