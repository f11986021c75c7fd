export interface ReadingsLimits {
  /** Size of the memtable; a second one of the same size exists during a flush. */
  readonly memtableBytes: number;
  /** The memtable grows with the number of series that it holds, up to a maximum. */
  readonly memtableBytesPerSeries: number;
  readonly maxMemtableBytes: number;
  /** A reading is flushed after this time at the latest, unless it is carried over. */
  readonly flushAfterMs: number;
  /** The maximum number of readings in a chunk. */
  readonly readingsPerChunk: number;
  /** A series with fewer readings is carried over to the next memtable instead of flushed. */
  readonly minChunkReadings: number;
  /** How long a commit waits for space in the memtable. */
  readonly maxSpaceWaitMs: number;
  /** Interval between two checks whether a flush is due. */
  readonly checkEveryMs: number;
  /** Interval between two rounds of compaction, and the number of series that one examines. */
  readonly compactEveryMs: number;
  readonly seriesPerRound: number;
  /** Readings of one series that compaction writes before it turns to another. */
  readonly readingsPerTurn: number;
  /** After so many, the space of the chunks that they were in is made free for new ones. */
  readonly readingsPerVacuum: number;
  /** Interval between two runs of retention. */
  readonly retentionEveryMs: number;
  /** Memory for chunks that were queried, which is used as it is needed. */
  readonly chunkCacheBytes: number;
  /** How long a query waits for the nodes that act for its Devices. */
  readonly maxOwnerWaitMs: number;
  /** Unflushed readings in one answer to another node, which asks again for more. */
  readonly maxAnswerBytes: number;
}

export const READINGS_LIMITS: ReadingsLimits = {
  memtableBytes: 64 * 1024 * 1024,
  memtableBytesPerSeries: 512,
  maxMemtableBytes: 512 * 1024 * 1024,
  flushAfterMs: 10 * 60_000,
  readingsPerChunk: 32_768,
  minChunkReadings: 512,
  maxSpaceWaitMs: 30_000,
  checkEveryMs: 1_000,
  compactEveryMs: 1_000,
  seriesPerRound: 50,
  readingsPerTurn: 524_288,
  readingsPerVacuum: 524_288,
  retentionEveryMs: 10 * 60_000,
  chunkCacheBytes: 32 * 1024 * 1024,
  maxOwnerWaitMs: 10_000,
  maxAnswerBytes: 2 * 1024 * 1024,
};

/**
 * The size at which a memtable of so many series is full. A flush costs a row per series, so that
 * with more series each must have collected more readings to be worth a row.
 */
export function memtableLimit(
  { memtableBytes, memtableBytesPerSeries, maxMemtableBytes }: ReadingsLimits,
  seriesCount: number,
): number {
  return Math.min(
    memtableBytes + memtableBytesPerSeries * seriesCount,
    Math.max(memtableBytes, maxMemtableBytes),
  );
}
