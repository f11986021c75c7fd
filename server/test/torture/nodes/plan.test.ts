import { expect, it } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { nodesLongPlan } from './plan.ts';

it('a run of a quarter of an hour has 20 kills and 10 halts of nodes, and every other fault', () => {
  const options = { nodes: 3, standbyBin: '/bin', minutes: 15 };
  const { faults } = nodesLongPlan(createRandom(1), options);
  const counts = new Map<string, number>();
  for (const { kind } of faults) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  expect(counts.get('kill node')).toBeGreaterThanOrEqual(20);
  expect(counts.get('halt node')).toBeGreaterThanOrEqual(10);
  expect(counts.size).toBe(9);
});
