import type { AlarmEvent } from '@fieldwatch/contract';

/** Why notifications are sent together, and about what. */
export interface DigestCause {
  readonly id: string;
  readonly kind: 'MAINTENANCE_ENDED' | 'DEVICE_OFFLINE' | 'STILL_OFFLINE';
  /** The reason of the window, or the name of the Device above. */
  readonly name: string;
}

/** A notification that is about to be sent. */
export interface Candidate {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: 'RAISED' | 'CLEARED' | 'ACKNOWLEDGED';
  /** When it became known, in epoch milliseconds. */
  readonly at: number;
  readonly event: AlarmEvent;
  /** Whether it has waited for the Devices above. */
  readonly hasWaited: boolean;
  /** Those with the same id are sent as one digest. */
  readonly digest: DigestCause | null;
  /** How many Devices are behind that of the event; absent where that is not of interest. */
  readonly devicesBehind?: number;
}
