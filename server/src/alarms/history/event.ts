import type {
  AlarmEvent,
  AlarmOperator,
  AlarmTimelineEntry,
  ClearedReason,
  Severity,
  SuppressionKind,
} from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';

type Value = number | boolean | string;

/** An event as it is stored: all but the end and the acknowledgement is as it was when raised. */
export interface EventRow {
  readonly id: string;
  readonly alarmId: string;
  readonly alarmName: string;
  readonly severity: Severity;
  readonly operator: AlarmOperator;
  readonly threshold: Value | null;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly deviceVariableId: string;
  readonly deviceVariableName: string;
  readonly assetIds: readonly string[];
  readonly locationId: string | null;
  readonly alarmGroupId: string | null;
  readonly raisedAt: number;
  readonly raisedValue: Value;
  readonly clearedAt: number | null;
  readonly clearedValue: Value | null;
  readonly clearedReason: ClearedReason | null;
  readonly isAcknowledgeable: boolean;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly isShelved: boolean;
  readonly suppressionKind: SuppressionKind | null;
  readonly suppressionId: string | null;
  readonly revision: number;
}

export interface NoteRow {
  readonly id: string;
  readonly eventId: string;
  readonly text: string;
  readonly author: string;
  readonly createdAt: number;
}

export interface TimelineRow {
  readonly kind: AlarmTimelineEntry['kind'];
  readonly at: number;
  readonly recordedAt: number;
  readonly actor: string | null;
  readonly detail: string | null;
}

export function eventRecord(row: EventRow, notes: readonly NoteRow[]): AlarmEvent {
  return {
    id: row.id,
    alarmId: row.alarmId,
    alarmName: row.alarmName,
    severity: row.severity,
    operator: row.operator,
    thresholdValue: row.threshold,
    deviceId: row.deviceId,
    deviceName: row.deviceName,
    deviceVariableId: row.deviceVariableId,
    deviceVariableName: row.deviceVariableName,
    assetIds: [...row.assetIds],
    locationId: row.locationId,
    alarmGroupId: row.alarmGroupId,
    raisedDateTime: isoDateTime(row.raisedAt),
    raisedValue: row.raisedValue,
    clearedDateTime: row.clearedAt === null ? null : isoDateTime(row.clearedAt),
    clearedValue: row.clearedValue,
    clearedReason: row.clearedReason,
    isAcknowledgeable: row.isAcknowledgeable,
    acknowledgedDateTime: row.acknowledgedAt === null ? null : isoDateTime(row.acknowledgedAt),
    acknowledgedBy: row.acknowledgedBy,
    notes: notes.map(({ id, text, author, createdAt }) => {
      return { id, text, author, createdDateTime: isoDateTime(createdAt) };
    }),
    ...(row.isShelved ? { isShelved: true } : {}),
    ...suppressionOf(row),
  };
}

function suppressionOf({ suppressionKind: kind, suppressionId: id }: EventRow) {
  return kind === null || id === null ? {} : { suppression: { kind, id } };
}

export function timelineRecord({ kind, at, recordedAt, actor, detail }: TimelineRow) {
  return {
    kind,
    dateTime: isoDateTime(at),
    recordedDateTime: isoDateTime(recordedAt),
    actor,
    detail,
  } satisfies AlarmTimelineEntry;
}
