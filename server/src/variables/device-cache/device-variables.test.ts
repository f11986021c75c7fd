import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CachedVariable, DeviceVariables, Layouts } from './device-variables.ts';

const owner = { deviceId: 'device', organizationId: 'organization' };

const row = fc.record({
  seriesId: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 2 ** 32 - 1 })),
  id: fc.uuid(),
  type: fc.constantFrom('NUMBER' as const, 'STRING' as const, 'BOOLEAN' as const),
  isLoggingEnabled: fc.boolean(),
  path: fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), fc.string({ maxLength: 4 })),
});
const rows = fc.uniqueArray(row, { maxLength: 12, selector: ({ path }) => path });
const ofRow = (each: { readonly path: string }) => ({ ...owner, ...each });

it('a Variable has what its row has, in any order of paths and beside other Devices', () => {
  const order = fc.array(fc.nat(20), { maxLength: 40 });
  fc.assert(
    fc.property(
      fc.array(rows, { minLength: 1, maxLength: 3 }),
      order,
      fc.boolean(),
      (devices, positions, isLong) => {
        const layouts = new Layouts();
        const made = devices.map((each) => new DeviceVariables(owner, each, layouts));
        for (const [index, variables] of made.entries()) {
          const own = devices[index] ?? [];
          expect(variables.size).toBe(own.length);
          const ofMessage: CachedVariable[] | undefined = isLong ? [] : undefined;
          let before = undefined as ReturnType<DeviceVariables['get']>;
          for (const position of positions) {
            const expected = own[position];
            const path = expected?.path ?? 'unknown path';
            const variable = variables.get(path, before, ofMessage);
            if (ofMessage) expect(variables.get(path, before, ofMessage)).toBe(variable);
            if (expected === undefined) expect(variable).toBeUndefined();
            else expect(variable).toMatchObject(ofRow(expected));
            before = variable ?? before;
          }
        }
      },
    ),
  );
});

it('a series id that is too large for a Variable is refused', () => {
  const large = {
    ...{ seriesId: 2 ** 32, id: randomUUID(), type: 'NUMBER' as const, isLoggingEnabled: true },
    path: 'a',
  };
  expect(() => new DeviceVariables(owner, [large], new Layouts())).toThrow(RangeError);
});
