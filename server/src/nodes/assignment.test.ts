import fc from 'fast-check';
import { expect, it } from 'vitest';
import { movesOf, type Owners, sharesOf } from './assignment.ts';
import { PARTITION_COUNT } from './partition.ts';

const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 12 });

/** Living nodes, and owners that are living, gone or none. */
const situations = ids.chain((nodeIds) =>
  fc.record({
    nodeIds: fc.constant(nodeIds),
    owners: fc.array(fc.option(fc.constantFrom(...nodeIds)), {
      minLength: PARTITION_COUNT,
      maxLength: PARTITION_COUNT,
    }),
  }),
);

function countsOf(owners: Owners): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
}

it('the moves of all nodes together give every node its share, and move nothing twice', () => {
  fc.assert(
    fc.property(situations, ({ nodeIds, owners }) => {
      const after = [...owners];
      const moved = new Set<number>();
      const move = (partition: number, to: string) => {
        expect(moved.has(partition)).toBe(false);
        moved.add(partition);
        after[partition] = to;
      };
      for (const self of nodeIds) {
        const { take, handOver } = movesOf(self, nodeIds, owners);
        for (const partition of take) {
          expect(owners[partition]).toBeNull();
          move(partition, self);
        }
        for (const [receiver, partitions] of handOver) {
          for (const partition of partitions) {
            expect(owners[partition]).toBe(self);
            move(partition, receiver);
          }
        }
      }
      const counts = countsOf(after);
      const shares = [...sharesOf(nodeIds)].filter(([, share]) => share > 0);
      expect([...counts].toSorted()).toEqual(shares.toSorted());
    }),
    { numRuns: 200 },
  );
});

it('nodes with their shares move nothing', () => {
  fc.assert(
    fc.property(ids, (nodeIds) => {
      const owners = [...sharesOf(nodeIds)].flatMap(([id, share]) => Array<string>(share).fill(id));
      for (const self of nodeIds) {
        expect(movesOf(self, nodeIds, owners)).toEqual({ take: [], handOver: new Map() });
      }
    }),
  );
});

it('a partition that belongs to a node that is not alive is left alone', () => {
  const owners = Array<string>(PARTITION_COUNT).fill('gone');
  expect(movesOf('a', ['a', 'b'], owners).take).toEqual([]);
});
