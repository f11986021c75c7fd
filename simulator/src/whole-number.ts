/** The number in a flag's text, or a sentence that says what it must be. */
export function wholeNumber(
  flag: string,
  text: string,
  least: number,
  most: number,
): number | string {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  return `--${flag} must be a whole number from ${least} to ${most}, not "${text}".`;
}
