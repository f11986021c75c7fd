/** What somebody asks for by a text. */
export interface Reply {
  readonly code: string;
  readonly wants: 'ACKNOWLEDGE' | 'ESCALATE';
}

/** Of a longer text nothing is read: a reply is a code and a word. */
const MAX_TEXT_LENGTH = 200;
const WORDS: ReadonlyMap<string, Reply['wants']> = new Map([
  ['', 'ACKNOWLEDGE'],
  ['ok', 'ACKNOWLEDGE'],
  ['okay', 'ACKNOWLEDGE'],
  ['ack', 'ACKNOWLEDGE'],
  ['up', 'ESCALATE'],
]);

/**
 * Reads a code of four digits and a word, whatever their case and whatever stands between and around
 * them. Null for anything else: what is not understood must not stop a page.
 */
export function parseReply(text: string): Reply | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  const plain = text.normalize('NFKC').toLowerCase();
  const parts = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [code = '', word = '', ...more] = separated(parts);
  const wants = WORDS.get(word);
  if (!/^[0-9]{4}$/.test(code) || wants === undefined || more.length > 0) return null;
  return { code, wants };
}

/** A word may follow its code without a space. */
function separated([first = '', ...more]: readonly string[]): string[] {
  const [, code, word] = /^([0-9]{4})([a-z]+)$/.exec(first) ?? [];
  return code === undefined || word === undefined ? [first, ...more] : [code, word, ...more];
}

/** The international number with its plus sign, from any of the forms in which services write it. */
export function numberOf(sender: string): string | null {
  if (sender.length > MAX_TEXT_LENGTH) return null;
  const digits = sender.replaceAll(/[\s().+/-]/g, '').replace(/^00/, '');
  return /^[1-9][0-9]{6,14}$/.test(digits) ? `+${digits}` : null;
}
