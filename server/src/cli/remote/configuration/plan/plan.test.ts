import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../../../test/support/soak.ts';
import { type ConfigRecord, isSame, KINDS, nameOf, normalized } from '../model/index.ts';
import { type ActualRecord, fixedFieldProblems, type Plan, planOf } from './plan.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');

/** Locations in a tree, and Devices with Variables: keys in order, so that no parent is a child. */
const records: fc.Arbitrary<ConfigRecord[]> = fc
  .uniqueArray(
    fc.record({
      kind: fc.constantFrom('locations' as const, 'devices' as const, 'assets' as const),
      key,
      name: fc.constantFrom('One', 'Two'),
      parent: fc.option(key),
      location: fc.option(key),
      variables: fc.subarray(['x', 'y']),
    }),
    { selector: ({ kind, key: own }) => `${kind}/${own}` },
  )
  .map((drawn) =>
    drawn.flatMap(({ kind, key: own, name, parent, location, variables }): ConfigRecord[] => {
      const isParent =
        parent !== null &&
        parent < own &&
        drawn.some((each) => each.kind === kind && each.key === parent);
      const fields = normalized(kind, {
        name,
        parent: isParent ? parent : null,
        ...(kind === 'locations' ? {} : { location }),
      });
      const inner = variables.map((each) => ({
        kind: 'variables' as const,
        key: `${own}/${each}`,
        fields: { name },
      }));
      return [{ kind, key: own, fields }, ...(kind === 'devices' ? inner : [])];
    }),
  );

const actual: fc.Arbitrary<ActualRecord[]> = records.chain((found) =>
  fc
    .array(fc.record({ isKeyStored: fc.boolean(), isArchived: fc.boolean() }), {
      minLength: found.length,
      maxLength: found.length,
    })
    .map((flags) =>
      found.map((record, index) => {
        const { isKeyStored = true, isArchived = false } = flags[index] ?? {};
        return {
          ...record,
          id: `id of ${nameOf(record)}`,
          isKeyStored: isKeyStored || isArchived,
          isArchived,
        };
      }),
    ),
);

/** The records after the plan, as a server would have them. */
function applied(before: readonly ActualRecord[], { stages, adopted }: Plan): ActualRecord[] {
  const after = new Map(before.map((record) => [nameOf(record), record]));
  for (const record of adopted) after.set(nameOf(record), { ...record, isKeyStored: true });
  for (const step of stages.flat()) {
    const { kind, key: own } = step;
    const stored = { kind, key: own, isKeyStored: true, isArchived: false };
    if (step.action === 'create') {
      after.set(nameOf(step), { ...stored, id: 'new', fields: step.fields });
    } else if (step.action === 'update') {
      after.set(nameOf(step), { ...stored, id: step.actual.id, fields: step.desired.fields });
    } else {
      after.delete(nameOf(step));
      if (kind !== 'devices') continue;
      for (const name of after.keys()) if (name.startsWith(`variables/${own}/`)) after.delete(name);
    }
  }
  return [...after.values()];
}

const RUNS = { numRuns: cases(300) };

describe('a plan', () => {
  it('leads to the desired records, after which there is nothing left to do', () => {
    const property = fc.property(records, actual, fc.boolean(), (desired, before, isPruned) => {
      const plan = planOf({ desired, actual: before, isPruned });
      const after = applied(before, plan);
      for (const record of desired) {
        const found = after.find((each) => nameOf(each) === nameOf(record));
        expect(isSame(found?.fields, record.fields)).toBe(true);
      }
      const next = planOf({ desired, actual: after, isPruned });
      expect(next).toMatchObject({ stages: [], adopted: [] });
    });
    fc.assert(property, RUNS);
  });

  it('deletes nothing without being asked to, and never a record without a key', () => {
    const property = fc.property(records, actual, fc.boolean(), (desired, before, isPruned) => {
      const { stages, unlisted } = planOf({ desired, actual: before, isPruned });
      const wanted = new Set(desired.map(nameOf));
      const gone = stages.flat().flatMap((step) => (step.action === 'delete' ? [step.actual] : []));
      if (isPruned) expect(unlisted).toEqual([]);
      else expect(gone).toEqual([]);
      for (const record of [...gone, ...unlisted]) {
        expect(record).toMatchObject({ isKeyStored: true, isArchived: false });
        expect(wanted.has(nameOf(record))).toBe(false);
      }
    });
    fc.assert(property, RUNS);
  });

  it('creates records after those that they refer to, and deletes them before', () => {
    const property = fc.property(records, actual, (desired, before) => {
      const { stages } = planOf({ desired, actual: before, isPruned: true });
      const stageOf = new Map(
        stages.flatMap((stage, index) => stage.map((step) => [nameOf(step), index] as const)),
      );
      const isDeleted = (name: string) =>
        stages.flat().some((step) => step.action === 'delete' && nameOf(step) === name);
      for (const step of stages.flat()) {
        const at = stageOf.get(nameOf(step)) ?? -1;
        if (step.action === 'delete') {
          const { parent } = step.actual.fields;
          const above = stageOf.get(`${step.kind}/${parent}`);
          if (above !== undefined && parent !== undefined && isDeleted(`${step.kind}/${parent}`)) {
            expect(above).toBeGreaterThan(at);
          }
          continue;
        }
        const fields = step.action === 'create' ? step.fields : step.desired.fields;
        const parent = stageOf.get(`${step.kind}/${fields.parent}`) ?? -1;
        expect(parent).toBeLessThan(at);
      }
      const order = stages.map(([step]) => ({
        isDeletion: step?.action === 'delete',
        kind: step ? KINDS.indexOf(step.kind) : -1,
      }));
      for (const [index, { isDeletion, kind }] of order.entries()) {
        const last = order[index - 1];
        if (!last) continue;
        if (isDeletion && last.isDeletion) expect(kind).toBeLessThanOrEqual(last.kind);
        else if (!isDeletion) {
          expect(last.isDeletion).toBe(false);
          expect(kind).toBeGreaterThanOrEqual(last.kind);
        }
      }
    });
    fc.assert(property, RUNS);
  });

  it('names changes of fields that are fixed', () => {
    const fields = { name: 'Speed', topicPropertyPath: 'engine.rpm', type: 'NUMBER' };
    const found = { kind: 'variables', key: 'a/b', id: '1', isKeyStored: true } as const;
    const plan = planOf({
      desired: [{ kind: 'variables', key: 'a/b', fields: { ...fields, type: 'STRING' } }],
      actual: [{ ...found, isArchived: false, fields }],
      isPruned: false,
    });
    expect(fixedFieldProblems(plan)).toMatchObject([{ field: 'type' }]);
  });

  it('takes a masked application key for the one of the file', () => {
    const configuration = { devEui: 'A', appEui: 'B', appKey: '*'.repeat(32) };
    const found = { kind: 'devices', key: 'a', id: '1', isKeyStored: true } as const;
    const planWith = (changed: object) =>
      planOf({
        desired: [
          {
            kind: 'devices',
            key: 'a',
            fields: { configuration: { ...configuration, appKey: 'F0', ...changed } },
          },
        ],
        actual: [{ ...found, isArchived: false, fields: { configuration } }],
        isPruned: false,
      });
    expect(planWith({}).stages).toEqual([]);
    expect(planWith({ devEui: 'C' }).stages).toHaveLength(1);
  });
});
