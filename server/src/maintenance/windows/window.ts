import {
  type Body,
  type MaintenanceWindow,
  type Operations,
  periodErrors,
  scheduleErrors,
} from '@fieldwatch/contract';
import { invalid, isoDateTime } from '../../runtime/index.ts';
import type { Reference } from '../../storage/index.ts';
import { nextPeriod, periodAt, type Schedule } from '../schedule/index.ts';
import type { WindowFields, WindowRow } from './store.ts';

type CreateBody = Body<Operations['createMaintenanceWindow']>;
type UpdateBody = Body<Operations['updateMaintenanceWindow']>;
type Scope = MaintenanceWindow['scope'];
type WrittenScope = CreateBody['scope'];

const EMPTY: Scope = {
  locationIds: [],
  assetIds: [],
  deviceIds: [],
  alarmGroupIds: [],
  alarmIds: [],
};

/** A window without a start begins at once. */
export function newFields(body: CreateBody, now: number): WindowFields {
  const { scope, from, to, recurrence, ...given } = body;
  const startsAt = recurrence ? null : from === null ? now : Date.parse(from);
  const endsAt = to === null ? null : Date.parse(to);
  const schedule = { startsAt, endsAt, recurrence, endedAt: null };
  requireEnd(schedule, now);
  return { ...given, ...EMPTY, ...scope, ...schedule, ...progressAt(schedule, now) };
}

/** The stored fields with the given ones over them; what is left out stays. */
export function editedFields(row: WindowRow, body: UpdateBody, now: number): WindowFields {
  const { scope, from, to, recurrence, ...given } = body;
  const isTimed = from !== undefined || to !== undefined || recurrence !== undefined;
  const times = {
    from: from === undefined ? dateTime(row.startsAt) : from,
    to: to === undefined ? dateTime(row.endsAt) : to,
    recurrence: recurrence === undefined ? row.recurrence : recurrence,
  };
  const schedule = isTimed ? scheduleOf(times, now) : row;
  if (isTimed) requireEnd(schedule, now);
  const { startsAt, endsAt, endedAt } = schedule;
  return {
    ...row,
    ...given,
    ...(scope ? { ...EMPTY, ...scope } : {}),
    ...{ startsAt, endsAt, endedAt, recurrence: schedule.recurrence },
    ...progressAt(schedule, now),
  };
}

type Times = Pick<MaintenanceWindow, 'from' | 'to' | 'recurrence'>;

function scheduleOf({ from, to, recurrence }: Times, now: number): Schedule {
  const errors = scheduleErrors({ from: from ?? isoDateTime(now), to, recurrence });
  const sent = recurrence ? scheduleErrors({ from, to, recurrence }) : errors;
  if (sent.length > 0) throw invalid(...sent);
  const startsAt = recurrence ? null : from === null ? now : Date.parse(from);
  const endsAt = to === null ? null : Date.parse(to);
  return { startsAt, endsAt, recurrence, endedAt: null };
}

/** What depends on the clock: that a window without a start is not too long, nor over already. */
function requireEnd(schedule: Schedule, now: number): void {
  const { startsAt, endsAt } = schedule;
  const errors = startsAt === null || endsAt === null ? [] : periodErrors(startsAt, endsAt);
  if (errors.length > 0) throw invalid(...errors);
  if (nextPeriod(schedule, now) === null) {
    const path = schedule.recurrence ? 'recurrence.untilDate' : 'to';
    throw invalid({ path, message: 'must not be in the past' });
  }
}

/** What is to be done next, and until when the period in progress lasts. */
export function progressAt(
  schedule: Schedule,
  now: number,
): Pick<WindowFields, 'nextAt' | 'openTo'> {
  const next = nextPeriod(schedule, now);
  if (next === null) return { nextAt: null, openTo: null };
  return next.from <= now
    ? { nextAt: next.to, openTo: next.to }
    : { nextAt: next.from, openTo: null };
}

/** The records that must exist, by the field that names them. */
export function referencesIn(scope: WrittenScope = {}): Reference[] {
  const named = (field: keyof Scope, table: Reference['table']) =>
    (scope[field] ?? []).map((id, index) => ({ path: `scope.${field}[${index}]`, table, id }));
  return [
    ...named('locationIds', 'locations'),
    ...named('assetIds', 'assets'),
    ...named('deviceIds', 'devices'),
    ...named('alarmGroupIds', 'alarm_groups'),
    ...named('alarmIds', 'alarms'),
  ];
}

const dateTime = (at: number | null) => (at === null ? null : isoDateTime(at));

/** The fields that an edit may set, as the audit log has them. */
export function editableRecord(row: WindowRow) {
  return {
    id: row.id,
    scope: {
      locationIds: [...row.locationIds],
      assetIds: [...row.assetIds],
      deviceIds: [...row.deviceIds],
      alarmGroupIds: [...row.alarmGroupIds],
      alarmIds: [...row.alarmIds],
    },
    severities: [...row.severities],
    mode: row.mode,
    reason: row.reason,
    from: dateTime(row.startsAt),
    to: dateTime(row.endsAt),
    recurrence: row.recurrence,
    tellsStart: row.tellsStart,
    tellsEnd: row.tellsEnd,
  };
}

export function windowRecord(row: WindowRow, heldCount: number, now: number): MaintenanceWindow {
  const next = nextPeriod(row, now);
  const isActive = periodAt(row, now) !== null;
  return {
    ...editableRecord(row),
    state: next === null ? 'ENDED' : isActive ? 'ACTIVE' : 'SCHEDULED',
    current: next && { from: isoDateTime(next.from), to: isoDateTime(next.to) },
    heldCount,
    createdBy: row.createdBy,
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}
