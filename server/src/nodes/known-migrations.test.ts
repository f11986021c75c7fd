import { expect, it } from 'vitest';
import { allKnow } from './known-migrations.ts';

const LOST = 1_700_000_000_000;

it.each([
  { nodes: [], isKnown: true },
  { nodes: [{ migration: 68, lostAt: null }], isKnown: true },
  { nodes: [{ migration: 67, lostAt: null }], isKnown: false },
  { nodes: [{ migration: 69, lostAt: null }], isKnown: true },
  {
    nodes: [
      { migration: 68, lostAt: null },
      { migration: null, lostAt: null },
    ],
    isKnown: false,
  },
  {
    nodes: [
      { migration: 68, lostAt: null },
      { migration: 67, lostAt: LOST },
    ],
    isKnown: true,
  },
])('a migration is known to all nodes that run, of $nodes: $isKnown', ({ nodes, isKnown }) => {
  expect(allKnow(nodes, 68)).toBe(isKnown);
});
