/** How much a stream may take and hold, and how often things are looked at. */
export interface LiveLimits {
  readonly maxStreams: number;
  readonly maxOfOrganization: number;
  readonly maxOfCredential: number;
  /** The least time between two batches of values to one stream. */
  readonly batchMs: number;
  readonly maxBatchValues: number;
  readonly maxBatchLength: number;
  /** Values that wait for a reader, one of a Variable. A number weighs 1, a text by its length. */
  readonly maxWaitingWeight: number;
  readonly maxWaitingAlarms: number;
  /** Variables of one organization between two batches. */
  readonly maxFresh: number;
  /** Devices of one organization whose being online is followed. */
  readonly maxDevices: number;
  /** How often that a Device was seen again is worth telling. */
  readonly deviceToldMs: number;
  readonly heartbeatMs: number;
  /** How often credentials and bindings are looked at anew. */
  readonly recheckMs: number;
  /** A reader that takes nothing for so long is gone. */
  readonly stalledMs: number;
  /** How long a reader may take to receive why its stream ends. */
  readonly endMs: number;
  readonly stopMs: number;
  readonly resumePage: number;
  readonly tickMs: number;
}

export const LIVE_LIMITS: LiveLimits = {
  maxStreams: 2_000,
  maxOfOrganization: 500,
  maxOfCredential: 50,
  batchMs: 100,
  maxBatchValues: 1_000,
  maxBatchLength: 256 * 1024,
  maxWaitingWeight: 10_000,
  maxWaitingAlarms: 1_000,
  maxFresh: 100_000,
  maxDevices: 100_000,
  deviceToldMs: 10_000,
  heartbeatMs: 15_000,
  recheckMs: 5_000,
  stalledMs: 60_000,
  endMs: 10_000,
  stopMs: 1_000,
  resumePage: 500,
  tickMs: 500,
};
