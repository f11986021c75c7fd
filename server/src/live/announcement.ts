import type { LiveAlarm } from '@fieldwatch/contract';

/** A reading that is durable. */
export interface LiveReading {
  readonly variable: {
    readonly id: string;
    readonly deviceId: string;
    readonly organizationId: string;
  };
  /** Reading time in epoch milliseconds. */
  readonly at: number;
  readonly value: number | boolean | string;
}

/**
 * A change of an alarm event. Its id says where a reader goes on: one line of visible characters,
 * later ones after earlier ones. Announce them in the order of their ids, once they are committed.
 */
export interface AlarmAnnouncement extends LiveAlarm {
  readonly id: string;
}

/** Where alarm events are found again by a reader that was away. */
export interface AlarmSource {
  /** The id that a stream which begins now goes on from. */
  newestId(organizationId: string): Promise<string>;
  /** What followed the id, oldest first; null when the id is not one that was given out. */
  after(
    organizationId: string,
    id: string,
    limit: number,
  ): Promise<readonly AlarmAnnouncement[] | null>;
}
