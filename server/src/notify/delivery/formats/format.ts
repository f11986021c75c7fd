import type { Severity, WebhookTemplate } from '@fieldwatch/contract';
import { escapeControls } from '../../../runtime/index.ts';
import type { Message, TextMessage } from '../../fan-out/index.ts';
import { digestLines, factsOf, linkOf, mailOf, worstOf } from '../mail.ts';

/** One delivery, and the settings of its webhook. */
export interface FormatInput {
  readonly url: string;
  readonly organizationId: string;
  readonly deliveryId: string;
  readonly message: Message | TextMessage;
  /** Where the console is; without it there are no links. */
  readonly publicUrl: string | null;
  readonly destination: string | null;
  readonly credential: string | null;
  readonly template: WebhookTemplate | null;
}

/** The request that delivers it. */
export interface FormattedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Format = (input: FormatInput) => FormattedRequest;

/** What people read of a message, without the markup of any service. */
export interface Summary {
  readonly title: string;
  readonly lines: readonly string[];
  readonly severity: Severity;
  readonly link: string | null;
}

export function summaryOf(message: Message | TextMessage, publicUrl: string | null): Summary {
  const title = mailOf(message, null).subject;
  const link = linkOf(message, publicUrl);
  if (message.type === 'text') {
    return { title, lines: message.data.lines.map(escapeControls), severity: 'INFO', link };
  }
  if (message.type === 'alarm.digest') {
    const { counts, named } = digestLines(message);
    return {
      title,
      lines: [...counts, '', ...named],
      severity: worstOf(message.data.counts),
      link,
    };
  }
  const lines = factsOf(message).map(([name, value]) => `${name}: ${value}`);
  return { title, lines, severity: message.data.severity, link };
}

export function jsonRequest(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FormattedRequest {
  const json = { 'content-type': 'application/json' };
  return { url, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

export function bearer(credential: string | null): Record<string, string> {
  return credential === null ? {} : { authorization: `Bearer ${credential}` };
}

/** The text, or its start and an ellipsis, of at most so many UTF-16 units. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
