import { expect, it } from 'vitest';
import { type Annotation, clusters } from './annotations.ts';

const at = (ms: number): Annotation => ({ ms, kind: 'note', text: String(ms) });
const range = { startMs: 1_000, endMs: 2_000 };

it('annotations that would cover each other are one, at the time of the first', () => {
  const all = [at(1_500), at(1_100), at(1_109), at(1_119), at(1_121)];
  expect(clusters(all, range, 0.02)).toEqual([
    { at: 0.1, items: [at(1_100), at(1_109), at(1_119)] },
    { at: 0.121, items: [at(1_121)] },
    { at: 0.5, items: [at(1_500)] },
  ]);
});

it('annotations outside the range are left out, those at its ends are not', () => {
  expect(clusters([at(999), at(1_000), at(2_000), at(2_001)], range, 0.02)).toEqual([
    { at: 0, items: [at(1_000)] },
    { at: 1, items: [at(2_000)] },
  ]);
});
