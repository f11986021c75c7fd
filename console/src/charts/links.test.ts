import { expect, it } from 'vitest';
import { fixedLink } from './links.ts';

it('a link to exactly these times replaces a range that follows the clock', () => {
  const address = 'https://example.com/variables/v?last=6h&compare=week';
  expect(fixedLink(address, { startMs: 1.2, endMs: 2 })).toBe(
    'https://example.com/variables/v?compare=week&from=1&to=2',
  );
});
