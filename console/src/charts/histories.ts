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
