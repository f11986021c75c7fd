import { ALARM_OPERATORS, type AlarmOperator } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import type { AlarmTerms } from './alarm.ts';
import { alarmErrors, editedAlarmTerms, newAlarmTerms } from './terms.ts';

const DEVICE = '018f0000-0000-7000-8000-0000000000d1';
const OTHER_DEVICE = '018f0000-0000-7000-8000-0000000000d2';

const TYPES = ['NUMBER', 'STRING', 'BOOLEAN'] as const;
const COMPARING: readonly AlarmOperator[] = [
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
];

const TERMS: AlarmTerms = {
  name: 'Too hot',
  isActive: true,
  deviceId: DEVICE,
  deviceVariableId: '018f0000-0000-7000-8000-0000000000a1',
  operator: 'EQUAL',
  alarmGroupId: null,
  thresholdValueNumber: null,
  thresholdValueString: null,
  thresholdValueBoolean: null,
  severity: 'MEDIUM',
  isAcknowledgeable: false,
  delayProcessingSeconds: null,
  deadband: null,
  clearDelaySeconds: null,
};

/** Values that are set although they look empty. */
const GIVEN = {
  thresholdValueNumber: 0,
  thresholdValueString: '',
  thresholdValueBoolean: false,
} as const;
const FIELD_OF = {
  NUMBER: 'thresholdValueNumber',
  STRING: 'thresholdValueString',
  BOOLEAN: 'thresholdValueBoolean',
} as const;

/** Every subset of the three thresholds. */
const SUBSETS = Array.from({ length: 8 }, (_, bits) =>
  TYPES.filter((_, index) => bits & (1 << index)),
);

describe('the terms of an Alarm', () => {
  const cases = TYPES.flatMap((type) =>
    ALARM_OPERATORS.flatMap((operator) =>
      SUBSETS.map((thresholds) => ({ type, operator, thresholds })),
    ),
  );

  it('are tried in every combination', () => {
    expect(cases).toHaveLength(3 * 6 * 8);
  });

  it.each(cases)('fit a $type Variable with $operator and $thresholds as they should', (each) => {
    const { type, operator, thresholds } = each;
    const given = Object.fromEntries(
      thresholds.map((own) => [FIELD_OF[own], GIVEN[FIELD_OF[own]]]),
    );
    const errors = alarmErrors({ ...TERMS, operator, ...given }, { deviceId: DEVICE, type });
    expect(errors).toEqual([
      ...(type !== 'NUMBER' && COMPARING.includes(operator)
        ? [{ path: 'operator', message: `must be EQUAL or NOT_EQUAL for a ${type} Variable` }]
        : []),
      ...thresholds
        .filter((own) => own !== type)
        .map((own) => ({
          path: FIELD_OF[own],
          message: `must be null or left out for a ${type} Variable`,
        })),
    ]);
  });

  it('name a Variable of another Device together with everything else', () => {
    const terms: AlarmTerms = { ...TERMS, operator: 'LESS_THAN', thresholdValueNumber: 1 };
    const errors = alarmErrors(terms, { deviceId: OTHER_DEVICE, type: 'STRING' });
    expect(errors.map(({ path }) => path)).toEqual([
      'deviceVariableId',
      'operator',
      'thresholdValueNumber',
    ]);
  });

  it('know the Device also in upper case', () => {
    const terms = { ...TERMS, deviceId: DEVICE.toUpperCase() };
    expect(alarmErrors(terms, { deviceId: DEVICE, type: 'NUMBER' })).toEqual([]);
  });
});

describe('a deadband', () => {
  const errorsOf = (operator: AlarmOperator) =>
    alarmErrors({ ...TERMS, operator, deadband: 0 }, { deviceId: DEVICE, type: 'NUMBER' });

  it.each(COMPARING)('fits %s', (operator) => {
    expect(errorsOf(operator)).toEqual([]);
  });

  it.each(['EQUAL', 'NOT_EQUAL'] as const)('does not fit %s', (operator) => {
    const message = 'must be null unless numbers are compared by size';
    expect(errorsOf(operator)).toEqual([{ path: 'deadband', message }]);
  });
});

describe('new terms', () => {
  it('hold null for what was left out', () => {
    const {
      thresholdValueNumber: _,
      thresholdValueString: __,
      thresholdValueBoolean: ___,
      delayProcessingSeconds: ____,
      deadband: _____,
      clearDelaySeconds: ______,
      ...body
    } = TERMS;
    expect(newAlarmTerms(body)).toEqual(TERMS);
  });
});

describe('edited terms', () => {
  it('keep what was left out, and nothing that is not a term', () => {
    const row = { ...TERMS, id: 'x', revision: 3 };
    expect(editedAlarmTerms(row, {})).toEqual(TERMS);
    expect(editedAlarmTerms(row, { name: 'Other' })).toEqual({ ...TERMS, name: 'Other' });
  });

  it('lose what was set to null', () => {
    const stored = { ...TERMS, thresholdValueNumber: 5, alarmGroupId: DEVICE };
    expect(editedAlarmTerms(stored, { thresholdValueNumber: null, alarmGroupId: null })).toEqual(
      TERMS,
    );
  });
});
