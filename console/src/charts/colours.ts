/** Distinguishable with common colour vision deficiencies, on dark and on light. */
const LINES = [
  '#1c7ed6',
  '#e8590c',
  '#2b8a3e',
  '#9c36b5',
  '#c2255c',
  '#0c8599',
  '#846358',
  '#5f3dc4',
];

export function lineColour(index: number): string {
  return LINES[index % LINES.length] ?? '#1c7ed6';
}

/** Dark enough for white text. */
const STRIPES = ['#1864ab', '#a33f00', '#862e9c', '#a61e4d', '#0b6278', '#5c4033', '#4a2fa8'];

/** The colour of a state: fixed for on and off, by order for other values. */
export function stripeColour(value: unknown, index: number): string {
  if (typeof value === 'boolean') return value ? '#1e6b31' : '#5c636a';
  return STRIPES[index % STRIPES.length] ?? '#1864ab';
}

/** A colour with an alpha channel. */
export function withOpacity(colour: string, opacity: number): string {
  const alpha = Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0');
  return `${colour}${alpha}`;
}
