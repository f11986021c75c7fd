import { createHash } from 'node:crypto';

/**
 * The id of the event of an occurrence, always the same: a second judgement of the occurrence
 * names the same event. It has the form of a UUIDv7 of the time at which the occurrence began.
 */
export function eventIdOf(alarmId: string, epoch: number, startedAt: number): string {
  return idOf(startedAt, `${alarmId} ${epoch} ${startedAt}`);
}

/** The id of the notification of a change, the same when the change is stored again. */
export function notificationIdOf(eventId: string, kind: string, at: number): string {
  return idOf(at, `${eventId} ${kind}`);
}

function idOf(at: number, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  const time = at.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(hash.slice(3, 5), 16) & 0x3f) | 0x80).toString(16);
  const rest = hash.slice(5, 19);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`;
}
