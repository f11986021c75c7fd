/** Told apart by most people, also by those who see few colours; good on dark and on light. */
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

/** A colour as a veil over what lies below. */
export function veil(colour: string, opacity: number): string {
  const alpha = Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0');
  return `${colour}${alpha}`;
}
