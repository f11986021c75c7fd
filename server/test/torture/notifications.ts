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

function subjectOf({ text }: Letter): string {
  return /^Subject: (.*(?:\n[ \t].*)*)/m.exec(text)?.[1] ?? '';
}

export function mailName(letter: Letter): string | null {
  const eventId = EVENT_LINK.exec(unfolded(letter.text))?.[1];
  if (eventId === undefined) return null;
  const type = subjectOf(letter).includes('Cleared') ? 'alarm.cleared' : 'alarm.raised';
  return nameOf(eventId, type);
}

const DIGEST = /(\d+) alarm messages within a short time/;

/** A mail that waits to be tried again; the event is null for a digest. */
export interface WaitingMail {
  readonly eventId: string | null;
  readonly email: string | null;
  readonly eventCount: number;
}

/** The digests of each address: by their ids, the number of messages that each reports. */
function digestsOf(letters: readonly Letter[]) {
  const digests = new Map<string, Map<string, number>>();
  const doubled: string[] = [];
  for (const letter of letters) {
    const count = Number(DIGEST.exec(subjectOf(letter))?.[1] ?? 0);
    if (count === 0) continue;
    const id = /^Message-ID: (.*)/m.exec(letter.text)?.[1] ?? '';
    const [address = ''] = letter.to;
    const own = digests.get(address) ?? new Map<string, number>();
    if (own.has(id)) doubled.push(`digest ${id}`);
    digests.set(address, own.set(id, count));
  }
  return { digests, doubled };
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, each) => total + each, 0);

/**
 * Mail waits for ten minutes before it repeats an attempt whose outcome it does not know. A digest
 * names no ids: its count must be the number of messages to its address without a mail of their own.
 */
export function faultsOfMail(
  due: readonly Due[],
  letters: readonly Letter[],
  waiting: readonly WaitingMail[],
): NotificationFaults {
  const counts = new Map<string, number>();
  for (const letter of letters) {
    const name = mailName(letter);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const { digests, doubled } = digestsOf(letters);
  const wanted = due.filter(({ email }) => email !== null);
  const names = new Set(wanted.map(({ eventId, type }) => nameOf(eventId, type)));
  const isWaiting = new Set(waiting.map(({ eventId }) => eventId));
  const missing: string[] = [];
  const invented = [...counts.keys()].filter((name) => !names.has(name));
  for (const address of new Set(wanted.map(({ email }) => email ?? ''))) {
    const absent = wanted
      .filter(({ email, eventId }) => email === address && !isWaiting.has(eventId))
      .map(({ eventId, type }) => nameOf(eventId, type))
      .filter((name) => !counts.has(name));
    const inDigests = sum((digests.get(address) ?? new Map<string, number>()).values());
    const ofAddress = waiting.filter(({ email, eventId }) => email === address && eventId === null);
    const inWaiting = sum(ofAddress.map(({ eventCount }) => eventCount));
    missing.push(...absent.slice(inDigests + inWaiting));
    if (inDigests > absent.length + inWaiting)
      invented.push(
        `${address}: ${inDigests} in digests, ${absent.length} by no mail of their own`,
      );
  }
  const again = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  return { missing, doubled: [...again, ...doubled], invented };
}
