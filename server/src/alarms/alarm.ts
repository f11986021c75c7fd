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
}

/** An Alarm as it is stored. */
export interface AlarmRow extends AlarmTerms {
  readonly id: string;
  readonly triggeredAt: number | null;
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
  };
}

export function alarmRecord(row: AlarmRow): Alarm {
  return {
    id: row.id,
    ...termsOf(row),
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
