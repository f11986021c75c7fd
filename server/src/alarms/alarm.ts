import type { Alarm, AlarmOperator, Severity } from '@fieldwatch/contract';
import { isoDateTime } from '../runtime/index.ts';

/** What a person sets of an Alarm. */
export interface AlarmTerms {
  readonly name: string;
  readonly isActive: boolean;
  readonly deviceId: string;
  readonly deviceVariableId: string;
  readonly operator: AlarmOperator;
  readonly alarmGroupId: string | null;
  readonly thresholdValueNumber: number | null;
  readonly thresholdValueString: string | null;
  readonly thresholdValueBoolean: boolean | null;
  readonly severity: Severity;
  readonly isAcknowledgeable: boolean;
  readonly delayProcessingSeconds: number | null;
  readonly deadband: number | null;
  readonly clearDelaySeconds: number | null;
}

/** An Alarm as it is stored. */
export interface AlarmRow extends AlarmTerms {
  readonly id: string;
  readonly triggeredAt: number | null;
  readonly shelvedUntil: number | null;
  readonly shelvedReason: string | null;
  readonly shelvedBy: string | null;
  readonly archivedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** The terms alone, of whatever carries them. */
export function termsOf(from: AlarmTerms): AlarmTerms {
  return {
    name: from.name,
    isActive: from.isActive,
    deviceId: from.deviceId,
    deviceVariableId: from.deviceVariableId,
    operator: from.operator,
    alarmGroupId: from.alarmGroupId,
    thresholdValueNumber: from.thresholdValueNumber,
    thresholdValueString: from.thresholdValueString,
    thresholdValueBoolean: from.thresholdValueBoolean,
    severity: from.severity,
    isAcknowledgeable: from.isAcknowledgeable,
    delayProcessingSeconds: from.delayProcessingSeconds,
    deadband: from.deadband,
    clearDelaySeconds: from.clearDelaySeconds,
  };
}

/** What the interface does not know of is there only when it is set. */
export function alarmRecord(row: AlarmRow, now: number): Alarm {
  const { deadband, clearDelaySeconds, ...terms } = termsOf(row);
  const shelving = shelvingOf(row, now);
  return {
    id: row.id,
    ...terms,
    ...(deadband === null ? {} : { deadband }),
    ...(clearDelaySeconds === null ? {} : { clearDelaySeconds }),
    ...(shelving ? { shelving } : {}),
    isTriggered: row.triggeredAt !== null,
    triggeredDateTime: dateTimeOrNull(row.triggeredAt),
    isArchived: row.archivedAt !== null,
    archivedDateTime: dateTimeOrNull(row.archivedAt),
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function dateTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoDateTime(epochMs);
}

function shelvingOf({ shelvedUntil, shelvedReason, shelvedBy }: AlarmRow, now: number) {
  if (shelvedUntil === null || shelvedUntil <= now) return undefined;
  return {
    untilDateTime: isoDateTime(shelvedUntil),
    reason: shelvedReason ?? '',
    shelvedBy: shelvedBy ?? '',
  };
}
