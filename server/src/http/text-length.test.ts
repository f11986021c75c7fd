import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../test/support/code-point.ts';
import { isShorterThan } from './text-length.ts';

it('a text is shorter than a limit exactly when it has fewer code points', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 20 }), fc.nat(25), (text, limit) => {
      expect(isShorterThan(text, limit)).toBe([...text].length < limit);
    }),
  );
});
