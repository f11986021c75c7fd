import type { LiveAlarm } from '@fieldwatch/contract';

/** A stored reading. */
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
 * A change of an alarm event. Its id is the position from which a client continues: one line of
 * visible characters, ascending. Changes are announced in the order of their ids, after the commit.
 */
export interface AlarmAnnouncement extends LiveAlarm {
  readonly id: string;
}

/** The stored alarm events, for a client that reconnects. */
export interface AlarmSource {
  /** The id from which a new stream continues. */
  newestId(organizationId: string): Promise<string>;
  /** The changes after the id, oldest first; null for an unknown id. */
  after(
    organizationId: string,
    id: string,
    limit: number,
  ): Promise<readonly AlarmAnnouncement[] | null>;
}
