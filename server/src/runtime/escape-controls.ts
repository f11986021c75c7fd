/**
 * What a terminal, a mail client or a browser would obey instead of show: control characters, line
 * and paragraph separators, and the marks that reverse the direction of text.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * The text with each of those characters as an escape that can be seen, such as `\u202e`. Within a
 * JSON string the escape stands for the same character, so a line of JSON keeps its meaning.
 */
export function escapeControls(text: string): string {
  return text.replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
