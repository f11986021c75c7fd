/** Four digits without a leading zero, which people and programs leave out. */
const FIRST_CODE = 1_000;
const CODE_COUNT = 9_000;

/**
 * More than this would make codes easy to guess. A page beyond it has no code at the number, and is
 * acknowledged by its link.
 */
export const MAX_OPEN_CODES = 100;

/** A code that no open page has, from a random place on; null while too many are open. */
export function freeCode(
  open: ReadonlySet<string>,
  random: (below: number) => number,
): string | null {
  if (open.size >= MAX_OPEN_CODES) return null;
  const start = random(CODE_COUNT);
  for (let step = 0; step <= open.size; step += 1) {
    const code = String(FIRST_CODE + ((start + step) % CODE_COUNT));
    if (!open.has(code)) return code;
  }
  return null;
}
