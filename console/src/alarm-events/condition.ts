import { type AlarmOperator, SEVERITIES } from '@fieldwatch/contract';
import type { Alarm, AlarmEvent, ReadingValue } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { readingText } from '../ui/index.ts';

type Thresholds = Pick<
  Alarm,
  'thresholdValueNumber' | 'thresholdValueString' | 'thresholdValueBoolean'
>;

/** The threshold of an Alarm, of any type; null without one. */
export function thresholdOf(alarm: Thresholds): ReadingValue | null {
  return alarm.thresholdValueNumber ?? alarm.thresholdValueString ?? alarm.thresholdValueBoolean;
}

/** "is below 3.6 bar". */
export function conditionText(
  operator: AlarmOperator,
  threshold: ReadingValue | null,
  unit: string | null,
): string {
  if (threshold === null) return strings.alarms.list.noThreshold;
  return `${strings.alarms.operators[operator]} ${readingText(threshold, unit)}`;
}

/** Sorts by severity, then newest first. */
export function byUrgency(a: AlarmEvent, b: AlarmEvent): number {
  const worse = SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity);
  return worse === 0 ? Date.parse(b.raisedDateTime) - Date.parse(a.raisedDateTime) : worse;
}

/** Whether the event can still be acknowledged. */
export function isUnacknowledged({ isAcknowledgeable, acknowledgedDateTime }: AlarmEvent): boolean {
  return isAcknowledgeable && acknowledgedDateTime === null;
}
