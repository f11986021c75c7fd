import type { Received } from '../support/receiver.ts';
import type { Letter } from '../support/smtp.ts';

/** A notification that must have gone out: of one event, by one channel. */
export interface Due {
  readonly eventId: string;
  readonly type: 'alarm.raised' | 'alarm.cleared';
  readonly email: string | null;
}

interface Message {
  readonly type: string;
  readonly data: { readonly id?: string; readonly messages?: readonly Message[] };
}

const nameOf = (eventId: string, type: string) => `${eventId} ${type}`;

/** Which deliveries brought each notification, by webhook. A digest brings several. */
function deliveriesOf(received: readonly Received[]): Map<string, Set<string>> {
  const deliveries = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    const message = body as Message;
    for (const { type, data } of message.data.messages ?? [message]) {
      const name = nameOf(data.id ?? '', type);
      const ids = deliveries.get(name) ?? new Set();
      deliveries.set(name, ids.add(String(headers['webhook-id'])));
    }
  }
  return deliveries;
}

export interface NotificationFaults {
  readonly missing: string[];
  readonly doubled: string[];
  readonly invented: string[];
}

export function faultsOfWebhooks(
  due: readonly Due[],
  received: readonly Received[],
): NotificationFaults {
  const deliveries = deliveriesOf(received);
  const names = new Set(due.map(({ eventId, type }) => nameOf(eventId, type)));
  return {
    missing: [...names].filter((name) => !deliveries.has(name)),
    doubled: [...deliveries].filter(([, ids]) => ids.size > 1).map(([name]) => name),
    invented: [...deliveries.keys()].filter((name) => !names.has(name)),
  };
}

const EVENT_LINK = /\/alarms\/events\/([0-9a-f-]{36})/;

/** A quoted-printable body with its soft line breaks taken out. */
function unfolded(text: string): string {
  return text.replaceAll('=\n', '');
}

export function mailName({ text }: Letter): string | null {
  const eventId = EVENT_LINK.exec(unfolded(text))?.[1];
  if (eventId === undefined) return null;
  const subject = /^Subject: (.*(?:\n[ \t].*)*)/m.exec(text)?.[1] ?? '';
  return nameOf(eventId, subject.includes('Cleared') ? 'alarm.cleared' : 'alarm.raised');
}

/** Mail waits for ten minutes before it repeats an attempt whose outcome it does not know. */
export function faultsOfMail(
  due: readonly Due[],
  letters: readonly Letter[],
  isWaiting: (eventId: string) => boolean,
): NotificationFaults {
  const counts = new Map<string, number>();
  for (const letter of letters) {
    const name = mailName(letter);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const wanted = due.filter(({ email }) => email !== null);
  const names = new Set(wanted.map(({ eventId, type }) => nameOf(eventId, type)));
  return {
    missing: wanted
      .filter(({ eventId, type }) => !counts.has(nameOf(eventId, type)) && !isWaiting(eventId))
      .map(({ eventId, type }) => nameOf(eventId, type)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([name]) => name),
    invented: [...counts.keys()].filter((name) => !names.has(name)),
  };
}
