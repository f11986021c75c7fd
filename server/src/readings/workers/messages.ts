import type { EncodedHistory } from '../query/index.ts';
import type { SliceBatch } from '../slices/index.ts';
import type { ConsumerRef } from './consumer.ts';

/** A message to a worker thread. Each kind but `drop` is answered once. */
export type Order = { readonly job: number } & (
  | {
      readonly kind: 'begin';
      readonly consumer: ConsumerRef;
      readonly series: EncodedHistory['series'];
    }
  | { readonly kind: 'add'; readonly batch: SliceBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'drop' }
);

/** A message from a worker thread. */
export type Answer = { readonly job: number } & (
  | { readonly result: unknown; readonly failure?: undefined }
  | { readonly failure: string }
);
