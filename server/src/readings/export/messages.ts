import type { Batch } from '../history.ts';
import type { ExportPlan, Undecoded } from './table.ts';

/** To a worker. Each but the last kind is answered once. */
export type Order = { readonly job: number } & (
  | { readonly kind: 'begin'; readonly plan: ExportPlan; readonly subjects: Undecoded['subjects'] }
  | { readonly kind: 'add'; readonly batch: Pick<Batch, 'stretches' | 'chunks'> }
  | { readonly kind: 'end' }
  | { readonly kind: 'drop' }
);

/** From a worker. */
export type Made = { readonly job: number } & (
  | { readonly bytes: Uint8Array; readonly failure?: undefined }
  | { readonly failure: string }
);
