import type { AlarmEvent } from '@fieldwatch/contract';
import type { DigestCause } from '../../maintenance/index.ts';

export const NOTIFICATION_KINDS = ['RAISED', 'CLEARED', 'ACKNOWLEDGED'] as const;

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** What a person needs to understand an event, as it was when the message was made. */
export interface EventContext {
  readonly unit: string | null;
  /** From the outermost Location to that of the Device. */
  readonly locationPath: readonly string[];
  /** Of the Location, or of the nearest around it that has one. */
  readonly timeZone: string | null;
  /** How many Devices are behind one that is offline. */
  readonly devicesBehind?: number;
}

/** An event with what is known around it, as it is now. */
export interface DescribedEvent {
  readonly event: AlarmEvent;
  readonly context: EventContext;
}

/** A change of an alarm event that its recipients are to know. */
export interface Notification {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: NotificationKind;
  /** When it became known, in epoch milliseconds. */
  readonly at: number;
  /** As it was when the notification was dispatched. */
  readonly event: AlarmEvent;
  readonly context: EventContext;
  /** Whether it has waited for the Devices above. */
  readonly hasWaited: boolean;
  /** Those with the same id are sent as one digest. */
  readonly digest: DigestCause | null;
  readonly devicesBehind?: number;
}
