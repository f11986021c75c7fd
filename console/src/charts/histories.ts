import type { ReadingSegments } from '@fieldwatch/contract';
import type { Variable } from '../service/index.ts';
import type { BucketArrays } from './series.ts';

export interface NumberHistory {
  readonly variable: Variable;
  readonly bucketMs: number;
  readonly buckets: BucketArrays;
}

export interface StateHistory {
  readonly variable: Variable;
  readonly segments: ReadingSegments['items'];
}

/** A line of a chart. */
export interface Line extends NumberHistory {
  /** Its name on the chart. */
  readonly name: string;
  /** The index of its colour. A compared line has that of the line which it is compared with. */
  readonly colour: number;
  /** Whether it is of an earlier range, and drawn lighter. */
  readonly isCompared: boolean;
  readonly isHidden: boolean;
}
