import type { Undecoded } from '../query/index.ts';
import type { SliceBatch } from '../slices/index.ts';
import type { ConsumerRef } from './consumer.ts';

/** To a worker. Each but the last kind is answered once. */
export type Order = { readonly job: number } & (
  | {
      readonly kind: 'begin';
      readonly consumer: ConsumerRef;
      readonly subjects: Undecoded['subjects'];
    }
  | { readonly kind: 'add'; readonly batch: SliceBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'drop' }
);

/** From a worker. */
export type Answer = { readonly job: number } & (
  | { readonly result: unknown; readonly failure?: undefined }
  | { readonly failure: string }
);
