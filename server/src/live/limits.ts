/** The limits and intervals of live streams. */
export interface LiveLimits {
  readonly maxStreams: number;
  readonly maxPerOrganization: number;
  readonly maxPerCredential: number;
  /** The minimum time between two batches of values to one stream. */
  readonly batchMs: number;
  readonly maxBatchValues: number;
  readonly maxBatchLength: number;
  /** Values that wait for a client, one per Variable. A number weighs 1, a text by its length. */
  readonly maxWaitingWeight: number;
  readonly maxWaitingAlarms: number;
  /** Variables of one organization between two batches. */
  readonly maxFreshValues: number;
  /** Devices of one organization whose presence is followed. */
  readonly maxDevices: number;
  /** The minimum time between two announcements of a Device that stays online. */
  readonly deviceAnnounceMs: number;
  readonly heartbeatMs: number;
  /** How often credentials and bindings are checked. */
  readonly reauthorizeMs: number;
  /** The stream is closed when its client reads nothing for so long. */
  readonly stalledMs: number;
  /** How long a client has to receive the reason for the end of its stream. */
  readonly endMs: number;
  readonly stopMs: number;
  readonly replayPageSize: number;
  readonly tickMs: number;
}

export const LIVE_LIMITS: LiveLimits = {
  maxStreams: 2_000,
  maxPerOrganization: 500,
  maxPerCredential: 50,
  batchMs: 100,
  maxBatchValues: 1_000,
  maxBatchLength: 256 * 1024,
  maxWaitingWeight: 10_000,
  maxWaitingAlarms: 1_000,
  maxFreshValues: 100_000,
  maxDevices: 100_000,
  deviceAnnounceMs: 10_000,
  heartbeatMs: 15_000,
  reauthorizeMs: 5_000,
  stalledMs: 60_000,
  endMs: 10_000,
  stopMs: 1_000,
  replayPageSize: 500,
  tickMs: 500,
};
