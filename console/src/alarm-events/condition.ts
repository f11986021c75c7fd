import { type AlarmOperator, SEVERITIES } from '@fieldwatch/contract';
import type { Alarm, AlarmEvent, ReadingValue } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { readingText } from '../ui/index.ts';

type Thresholds = Pick<
  Alarm,
  'thresholdValueNumber' | 'thresholdValueString' | 'thresholdValueBoolean'
>;

/** The one threshold that an Alarm has, whatever its type; null when it has none. */
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

/** Worst first; among equals the newest. */
export function byUrgency(a: AlarmEvent, b: AlarmEvent): number {
  const worse = SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity);
  return worse === 0 ? Date.parse(b.raisedDateTime) - Date.parse(a.raisedDateTime) : worse;
}

/** Whether somebody may still say that they have it in hand. */
export function isWaiting({ isAcknowledgeable, acknowledgedDateTime }: AlarmEvent): boolean {
  return isAcknowledgeable && acknowledgedDateTime === null;
}
