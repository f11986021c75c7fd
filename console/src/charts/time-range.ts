/** A time range, in epoch milliseconds. */
export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}
