import { createHash } from 'node:crypto';
import type { EventMessage, Message, TextMessage } from '../fan-out/index.ts';
import type { Letter, UnsubscribeUrl } from './letter.ts';

export interface MailHeaders {
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly headers: Readonly<Record<string, string | { prepared: true; value: string }>>;
}

/**
 * The Message-ID follows from the event, what happened to it and the recipient: it is the same on
 * every attempt, and a later message of the event can name the mail that reported it raised.
 */
export function headersOf(
  letter: Pick<Letter, 'deliveryId' | 'organizationId' | 'targetId' | 'email' | 'message'>,
  domain: string,
  unsubscribeUrl: UnsubscribeUrl,
): MailHeaders {
  const { deliveryId, organizationId, targetId, email, message } = letter;
  const idOf = (type: EventMessage['type'], eventId: string) =>
    `<${createHash('sha256').update(`${type} ${eventId} ${targetId}`).digest('hex').slice(0, 32)}@${domain}>`;
  // A page goes to people, not to the addresses of a group, and may be sent several times.
  const alarmGroupIds = message.page ? [] : groupsOf(message);
  const url = unsubscribeUrl({ organizationId, email, alarmGroupIds });
  const headers = {
    'Auto-Submitted': 'auto-generated',
    'X-Fieldwatch-Delivery': deliveryId,
    ...(url === null ? {} : unsubscribeHeaders(url)),
  };
  if (message.type === 'text' || message.type === 'alarm.digest' || message.page) {
    return { messageId: `<${deliveryId}@${domain}>`, headers };
  }
  const messageId = idOf(message.type, message.data.id);
  if (message.type === 'alarm.raised') return { messageId, headers };
  const raised = idOf('alarm.raised', message.data.id);
  return { messageId, inReplyTo: raised, references: raised, headers };
}

/** One click is for HTTPS alone (RFC 8058); elsewhere the link leads to a page that asks. */
function unsubscribeHeaders(url: string) {
  const link = { prepared: true as const, value: `<${url}>` };
  if (!url.startsWith('https:')) return { 'List-Unsubscribe': link };
  return { 'List-Unsubscribe': link, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** The groups by which the recipient got this message, as far as it names them. */
function groupsOf(message: Message | TextMessage): string[] {
  if (message.type === 'text') return [];
  const messages = message.type === 'alarm.digest' ? message.data.messages : [message];
  const ids = messages.flatMap(({ data: { alarmGroupId } }) => alarmGroupId ?? []);
  return [...new Set(ids)];
}
