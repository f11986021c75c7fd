/**
 * What comparisons and searches look at, so that case makes no difference in any database locale. The
 * folded text of a part is a part of the folded text: each letter is folded alone. Without that, a capital
 * sigma would depend on what follows it.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/**
 * What emails are compared by: ASCII case only. Further folding would make one address of two, such
 * as of `k` and the Kelvin sign.
 */
export function foldEmail(email: string): string {
  return email.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
