import type { NotificationRules } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { bodyOf, valuesOf } from './rule-values.ts';

const ID = '00000000-0000-7000-8000-000000000001';

const RULES: NotificationRules = {
  bands: [
    { severities: ['CRITICAL'], steps: [{ contactMethodId: ID, afterSeconds: 150 }] },
    { severities: ['INFO'], steps: [] },
  ],
  quietHours: {
    timeZone: 'Europe/Vienna',
    upToSeverity: 'MEDIUM',
    hours: [
      { weekday: 'MONDAY', from: '22:00', to: '07:00' },
      { weekday: 'SUNDAY', from: '00:00', to: '24:00' },
      { weekday: 'FRIDAY', from: '22:00', to: '07:00' },
    ],
  },
  warnings: [],
  updatedDateTime: null,
};

describe('notification rules in their form', () => {
  it('group weekdays with the same quiet hours, and show whole days', () => {
    expect(valuesOf(RULES, 'UTC').quietHours.periods).toEqual([
      { weekdays: ['MONDAY', 'FRIDAY'], from: '22:00', to: '07:00' },
      { weekdays: ['SUNDAY'], from: '00:00', to: '00:00' },
    ]);
  });

  it('are sent as they were read, apart from the order of the hours', () => {
    const { bands, quietHours } = bodyOf(valuesOf(RULES, 'UTC'));
    expect(bands).toEqual(RULES.bands);
    expect(quietHours).toMatchObject({ timeZone: 'Europe/Vienna', upToSeverity: 'MEDIUM' });
    expect(new Set(quietHours?.hours)).toEqual(new Set(RULES.quietHours?.hours));
  });

  it('send no quiet hours while they are turned off, and propose nights', () => {
    const values = valuesOf({ ...RULES, quietHours: null }, 'Europe/Vienna');
    expect(values.quietHours.periods).toMatchObject([{ from: '22:00', to: '07:00' }]);
    expect(bodyOf(values).quietHours).toBeNull();
  });
});
