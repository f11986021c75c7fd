import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SharedTerms } from './shared-terms.ts';
import { type DeviceWatch, variableWatchesOf, watchesOn } from './variable-watches.ts';

const moment = { now: 0, arrivedAt: 0 };

function deviceWith(seriesIds: readonly number[]): DeviceWatch {
  return {
    ...{ organizationId: 'organization', deviceId: 'device', busy: undefined },
    ...{ onAwaited: undefined, isInvalid: false },
    variables: seriesIds.map((seriesId) => variableWatchesOf(seriesId, [], null, moment)),
  };
}

it('the alarms on a Variable are found among those of its Device', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(ids, (seriesIds) => {
      const device = deviceWith(seriesIds.toSorted((a, b) => a - b));
      for (let seriesId = 0; seriesId <= 61; seriesId += 1) {
        const expected = seriesIds.includes(seriesId) ? seriesId : undefined;
        expect(watchesOn(device, seriesId)?.seriesId).toBe(expected);
      }
    }),
  );
});

it('terms are shared by Alarms with the same ones alone', () => {
  const shared = new SharedTerms();
  const terms = fc.record({
    operator: fc.constantFrom('EQUAL' as const, 'LESS_THAN' as const),
    threshold: fc.constantFrom(null, 0, 1, 0.5, '1', '0', 'true', true, false),
    holdMs: fc.constantFrom(0, 1_000),
    deadband: fc.constantFrom(0, 0.1),
    clearDelayMs: fc.constantFrom(0, 1_000),
  });
  fc.assert(
    fc.property(terms, (each) => {
      const copy = shared.of(each);
      expect(copy).toEqual(each);
      expect(shared.of({ ...each })).toBe(copy);
    }),
  );
});
