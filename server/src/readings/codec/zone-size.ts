import { MAX_READINGS } from './chunk-header.ts';

/** The readings of a zone of version 3, except the last: the unit of decoding and of summaries. */
export const ZONE_SIZE = 256;

/** The zones of the largest chunk. */
export const MAX_ZONES = MAX_READINGS / ZONE_SIZE;

export function zonesOf(count: number): number {
  return Math.ceil(count / ZONE_SIZE);
}
