import { _, type Ajv2020, type KeywordDefinition } from 'ajv/dist/2020.js';

/** Whether text has fewer code points than this. The cost does not grow with long text. */
export function isShorterThan(text: string, codePoints: number): boolean {
  if (text.length < codePoints) return true;
  // A code point has two code units at the most.
  if (text.length >= 2 * codePoints) return false;
  let count = 0;
  for (const _point of text) count += 1;
  return count < codePoints;
}

/** Replaces the keywords for lengths by ones whose cost does not grow with the text. */
export function boundTextLengths(ajv: Ajv2020): Ajv2020 {
  const checks = {
    minLength: (limit: number, text: string) => !isShorterThan(text, limit),
    maxLength: (limit: number, text: string) => isShorterThan(text, limit + 1),
  };
  const error: KeywordDefinition['error'] = {
    message: '',
    params: ({ schema }) => _`{limit: ${schema}}`,
  };
  for (const [keyword, validate] of Object.entries(checks)) {
    ajv.removeKeyword(keyword);
    // In their place among the others: an empty name is too short first, and white space only then.
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      before: 'pattern',
      validate,
      error,
    });
  }
  return ajv;
}
