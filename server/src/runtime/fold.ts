/** What comparisons and searches look at, so that case makes no difference in any database locale. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
