import type { AlarmOperator, Body, FieldError, Operations } from '@fieldwatch/contract';
import { type AlarmTerms, termsOf } from './alarm.ts';

type CreateBody = Body<Operations['createAlarm']>;
type UpdateBody = Body<Operations['updateAlarm']>;

/** What an Alarm's terms depend on in the Variable it watches. */
export interface WatchedVariable {
  readonly deviceId: string;
  readonly type: 'STRING' | 'NUMBER' | 'BOOLEAN';
}

const THRESHOLDS = [
  { path: 'thresholdValueNumber', type: 'NUMBER' },
  { path: 'thresholdValueString', type: 'STRING' },
  { path: 'thresholdValueBoolean', type: 'BOOLEAN' },
] as const;

const OPERATORS_OF_ALL_TYPES: readonly AlarmOperator[] = ['EQUAL', 'NOT_EQUAL'];

export function newAlarmTerms(body: CreateBody): AlarmTerms {
  return {
    ...body,
    thresholdValueNumber: body.thresholdValueNumber ?? null,
    thresholdValueString: body.thresholdValueString ?? null,
    thresholdValueBoolean: body.thresholdValueBoolean ?? null,
    delayProcessingSeconds: body.delayProcessingSeconds ?? null,
    deadband: body.deadband ?? null,
    clearDelaySeconds: body.clearDelaySeconds ?? null,
  };
}

/** The stored terms with the given ones over them; what is left out stays. */
export function editedAlarmTerms(stored: AlarmTerms, body: UpdateBody): AlarmTerms {
  return { ...termsOf(stored), ...body };
}

/** Every term that does not fit the Variable. No threshold at all fits any: it never raises. */
export function alarmErrors(terms: AlarmTerms, variable: WatchedVariable): FieldError[] {
  const { type } = variable;
  const errors: FieldError[] = [];
  if (variable.deviceId !== terms.deviceId.toLowerCase()) {
    errors.push({ path: 'deviceVariableId', message: 'is not a Variable of this Device' });
  }
  if (type !== 'NUMBER' && !OPERATORS_OF_ALL_TYPES.includes(terms.operator)) {
    const message = `must be ${OPERATORS_OF_ALL_TYPES.join(' or ')} for a ${type} Variable`;
    errors.push({ path: 'operator', message });
  }
  for (const { path, type: own } of THRESHOLDS) {
    if (own !== type && terms[path] !== null) {
      errors.push({ path, message: `must be null or left out for a ${type} Variable` });
    }
  }
  if (terms.deadband !== null && OPERATORS_OF_ALL_TYPES.includes(terms.operator)) {
    errors.push({ path: 'deadband', message: 'must be null unless numbers are compared by size' });
  }
  return errors;
}
