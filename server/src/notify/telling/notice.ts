import type { AlarmOperator, Severity } from '@fieldwatch/contract';

export const NOTICE_KINDS = ['RAISED', 'CLEARED', 'ACKNOWLEDGED'] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

type Value = string | number | boolean;

/** An alarm event as it is shown, at the moment when it is told of. */
export interface EventRecord {
  readonly id: string;
  readonly alarmId: string;
  readonly alarmName: string;
  readonly severity: Severity;
  readonly operator: AlarmOperator;
  readonly thresholdValue: Value | null;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly deviceVariableId: string;
  readonly deviceVariableName: string;
  readonly assetIds: readonly string[];
  readonly locationId: string | null;
  readonly alarmGroupId: string | null;
  readonly raisedDateTime: string;
  readonly raisedValue: Value;
  readonly clearedDateTime: string | null;
  readonly clearedValue: Value | null;
  readonly clearedReason: string | null;
  readonly isAcknowledgeable: boolean;
  readonly acknowledgedDateTime: string | null;
  readonly acknowledgedBy: string | null;
  readonly notes: readonly EventNote[];
}

interface EventNote {
  readonly id: string;
  readonly text: string;
  readonly author: string;
  readonly createdDateTime: string;
}

/** What a person needs to understand an event, as it was when the message was made. */
export interface EventContext {
  readonly unit: string | null;
  /** From the outermost Location to that of the Device. */
  readonly locationPath: readonly string[];
  /** Of the Location, or of the nearest around it that has one. */
  readonly timeZone: string | null;
}

/** Something happened to an event, and is to be told. */
export interface Notice {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: NoticeKind;
  /** When it became known, in epoch milliseconds. */
  readonly at: number;
  readonly event: EventRecord;
  readonly context: EventContext;
}
