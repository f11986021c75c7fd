import { BANDS, SERIES } from '../design/index.ts';

export function lineColour(index: number): string {
  return SERIES[index % SERIES.length] ?? SERIES[0];
}

/** The colour of a state: fixed for on and off, by order for other values. */
export function stripeColour(value: unknown, index: number): string {
  if (typeof value === 'boolean') return value ? BANDS.on : BANDS.off;
  return BANDS.others[index % BANDS.others.length] ?? BANDS.off;
}

/** A colour with an alpha channel. */
export function withOpacity(colour: string, opacity: number): string {
  const alpha = Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0');
  return `${colour}${alpha}`;
}
