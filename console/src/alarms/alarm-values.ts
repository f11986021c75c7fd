import type { AlarmOperator, Severity, VariableType } from '@fieldwatch/contract';
import type { Alarm, NewAlarm } from '../service/index.ts';
import { boundsErrors } from '../ui/index.ts';

/** The values of the form; a number is '' while its field is empty. */
export interface AlarmValues extends Record<string, unknown> {
  name: string;
  isActive: boolean;
  deviceId: string | null;
  deviceVariableId: string | null;
  operator: AlarmOperator;
  alarmGroupId: string | null;
  thresholdValueNumber: number | string;
  thresholdValueString: string;
  thresholdValueBoolean: boolean;
  severity: Severity;
  isAcknowledgeable: boolean;
  delayProcessingSeconds: number | string;
  deadband: number | string;
  clearDelaySeconds: number | string;
}

export function newAlarm(initial: Partial<AlarmValues>): AlarmValues {
  return {
    name: '',
    isActive: true,
    deviceId: null,
    deviceVariableId: null,
    operator: 'GREATER_THAN',
    alarmGroupId: null,
    thresholdValueNumber: '',
    thresholdValueString: '',
    thresholdValueBoolean: true,
    severity: 'MEDIUM',
    isAcknowledgeable: true,
    delayProcessingSeconds: 0,
    deadband: '',
    clearDelaySeconds: '',
    ...initial,
  };
}

export function valuesOf(alarm: Alarm): AlarmValues {
  return newAlarm({
    ...alarm,
    thresholdValueNumber: alarm.thresholdValueNumber ?? '',
    thresholdValueString: alarm.thresholdValueString ?? '',
    thresholdValueBoolean: alarm.thresholdValueBoolean ?? true,
    delayProcessingSeconds: alarm.delayProcessingSeconds ?? 0,
    deadband: alarm.deadband ?? '',
    clearDelaySeconds: alarm.clearDelaySeconds ?? '',
  });
}

const numberOrNull = (value: number | string) => (value === '' ? null : Number(value));

/** The body of a creation or update, with the threshold of the Variable's type only. */
export function bodyOf(values: AlarmValues, type: VariableType): NewAlarm {
  const { name, isActive, operator, alarmGroupId, severity, isAcknowledgeable } = values;
  return {
    name,
    isActive,
    operator: type === 'NUMBER' || isEquality(operator) ? operator : 'EQUAL',
    alarmGroupId,
    severity,
    isAcknowledgeable,
    deviceId: values.deviceId ?? '',
    deviceVariableId: values.deviceVariableId ?? '',
    thresholdValueNumber: type === 'NUMBER' ? numberOrNull(values.thresholdValueNumber) : null,
    thresholdValueString: type === 'STRING' ? values.thresholdValueString : null,
    thresholdValueBoolean: type === 'BOOLEAN' ? values.thresholdValueBoolean : null,
    delayProcessingSeconds: numberOrNull(values.delayProcessingSeconds),
    deadband: type === 'NUMBER' ? numberOrNull(values.deadband) : null,
    clearDelaySeconds: numberOrNull(values.clearDelaySeconds),
  };
}

const CLEARING_BOUNDS = {
  delayProcessingSeconds: { min: 0, max: 900 },
  clearDelaySeconds: { min: 0, max: 900 },
};
export const NUMBER_BOUNDS = {
  ...CLEARING_BOUNDS,
  thresholdValueNumber: { min: 0, max: 999_999 },
  deadband: { min: 0, max: 999_999 },
};

/** The messages at number fields with unusable input; fields of other types are not shown. */
export function alarmErrors(values: AlarmValues, type: VariableType): Record<string, string> {
  return boundsErrors(values, type === 'NUMBER' ? NUMBER_BOUNDS : CLEARING_BOUNDS);
}

export function isEquality(operator: AlarmOperator): boolean {
  return operator === 'EQUAL' || operator === 'NOT_EQUAL';
}
