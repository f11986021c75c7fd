import type { Batch } from '../history.ts';
import type { ConsumerRef, Undecoded } from './consumer.ts';

/** To a worker. Each but the last kind is answered once. */
export type Order = { readonly job: number } & (
  | {
      readonly kind: 'begin';
      readonly consumer: ConsumerRef;
      readonly subjects: Undecoded['subjects'];
    }
  | { readonly kind: 'add'; readonly batch: Pick<Batch, 'stretches' | 'chunks'> }
  | { readonly kind: 'end' }
  | { readonly kind: 'drop' }
);

/** From a worker. */
export type Answer = { readonly job: number } & (
  | { readonly result: unknown; readonly failure?: undefined }
  | { readonly failure: string }
);
