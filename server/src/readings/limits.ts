export interface ReadingsLimits {
  /** Unsealed readings in memory; twice that while a sealing is under way. */
  readonly tailBytes: number;
  /** More room for each Variable that reports, and the most that all of it may come to. */
  readonly tailBytesAVariable: number;
  readonly mostTailBytes: number;
  /** No reading waits longer than this for its chunk, unless it is carried on. */
  readonly sealAfterMs: number;
  /** Readings in a chunk, at most. */
  readonly chunkReadings: number;
  /** A tail with fewer readings is carried on instead of becoming a chunk. */
  readonly carryBelow: number;
  /** How long a commit waits for a sealing to make room. */
  readonly roomWaitMs: number;
  /** Between two looks at what is due. */
  readonly tickMs: number;
  /** Between two rounds of folding, and how many Variables one looks at. */
  readonly compactEveryMs: number;
  readonly compactVariables: number;
  /** Readings that folding writes of one Variable before others have their turn. */
  readonly foldReadings: number;
  /** Between two looks for history that is kept no longer. */
  readonly sweepEveryMs: number;
}

export const READINGS_LIMITS: ReadingsLimits = {
  tailBytes: 64 * 1024 * 1024,
  tailBytesAVariable: 512,
  mostTailBytes: 512 * 1024 * 1024,
  sealAfterMs: 10 * 60_000,
  chunkReadings: 1_024,
  carryBelow: 512,
  roomWaitMs: 30_000,
  tickMs: 1_000,
  compactEveryMs: 1_000,
  compactVariables: 50,
  foldReadings: 524_288,
  sweepEveryMs: 10 * 60_000,
};

/**
 * What unsealed readings of so many Variables may take. A sealing costs a row for each Variable,
 * so the more there are, the more readings each must have by then to be worth it.
 */
export function tailLid(
  { tailBytes, tailBytesAVariable, mostTailBytes }: ReadingsLimits,
  variables: number,
): number {
  return Math.min(tailBytes + tailBytesAVariable * variables, Math.max(tailBytes, mostTailBytes));
}
