/** The readings of a zone of version 3, except the last: the unit of decoding and of summaries. */
export const ZONE_SIZE = 256;

export function zonesOf(count: number): number {
  return Math.ceil(count / ZONE_SIZE);
}
