import { type QuietHours, SEVERITIES } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { type ContactWishes, isAlwaysQuiet, planOf, type UsableMethod } from './plan.ts';

const NIGHT = Date.parse('2026-11-17T01:00:00Z');
const DAY = Date.parse('2026-11-17T12:00:00Z');

const method = (id: string, fields: Partial<UsableMethod> = {}): UsableMethod => ({
  id,
  kind: 'SMS',
  address: `+43${id}`,
  isVerified: true,
  ...fields,
});
const everyNight: QuietHours = {
  timeZone: 'Europe/Vienna',
  hours: (['MONDAY', 'TUESDAY'] as const).map((weekday) => {
    return { weekday, from: '22:00', to: '06:00' };
  }),
  upToSeverity: 'HIGH',
};
const wishes = (fields: Partial<ContactWishes> = {}): ContactWishes => ({
  email: 'ann@example.com',
  methods: [method('1'), method('2')],
  bands: [],
  quietHours: null,
  ...fields,
});
const seconds = (given: ContactWishes, severity: (typeof SEVERITIES)[number], at: number) =>
  planOf(given, severity, at).map((step) => [step.contactMethodId, (step.dueAt - at) / 1000]);

describe('the plan by which a person is contacted', () => {
  it('uses the email of the account at once while there is no verified contact method', () => {
    const unverified = wishes({ methods: [method('1', { isVerified: false })] });
    expect(planOf(unverified, 'LOW', DAY)).toEqual([
      { contactMethodId: null, kind: 'EMAIL', address: 'ann@example.com', dueAt: DAY },
    ]);
  });

  it('uses all verified contact methods in their order, a minute apart, without a rule', () => {
    expect(seconds(wishes(), 'LOW', DAY)).toEqual([
      ['1', 0],
      ['2', 60],
    ]);
  });

  it('follows the band of the severity, the earliest step first', () => {
    const steps = [
      { contactMethodId: '1', afterSeconds: 300 },
      { contactMethodId: '2', afterSeconds: 0 },
    ];
    const given = wishes({ bands: [{ severities: ['HIGH'], steps }] });
    expect(seconds(given, 'HIGH', DAY)).toEqual([
      ['2', 0],
      ['1', 300],
    ]);
  });

  it('goes by all verified contact methods when a band names none of them', () => {
    const steps = [{ contactMethodId: 'gone', afterSeconds: 0 }];
    expect(seconds(wishes({ bands: [{ severities: ['LOW'], steps }] }), 'LOW', DAY)).toEqual([
      ['1', 0],
      ['2', 60],
    ]);
  });

  it('is empty for severities at which the person wants no contact, and never for CRITICAL', () => {
    const given = wishes({ bands: [{ severities: ['INFO', 'CRITICAL'], steps: [] }] });
    expect(seconds(given, 'INFO', DAY)).toEqual([]);
    expect(seconds(given, 'CRITICAL', DAY)).not.toEqual([]);
  });

  it.each(SEVERITIES)(
    'in quiet hours up to HIGH is held until their end unless CRITICAL: %s',
    (severity) => {
      const given = wishes({ methods: [method('1')], quietHours: everyNight });
      const fourHours = 4 * 3600;
      expect(seconds(given, severity, NIGHT)).toEqual([
        ['1', severity === 'CRITICAL' ? 0 : fourHours],
      ]);
      expect(seconds(given, severity, DAY)).toEqual([['1', 0]]);
    },
  );

  it('is not held by quiet hours for lower severities', () => {
    const quietHours = { ...everyNight, upToSeverity: 'LOW' as const };
    expect(seconds(wishes({ methods: [method('1')], quietHours }), 'MEDIUM', NIGHT)).toEqual([
      ['1', 0],
    ]);
  });
});

describe('quiet hours', () => {
  it('of every hour of the week leave none', () => {
    const hours = (
      ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
    ).map((weekday) => ({ weekday, from: '00:00', to: '24:00' }));
    expect(isAlwaysQuiet({ ...everyNight, hours }, DAY)).toBe(true);
    expect(isAlwaysQuiet({ ...everyNight, hours: hours.slice(1) }, DAY)).toBe(false);
  });
});
