import type { AlarmRow } from '../alarm.ts';
import type { ClearedReason } from '../judgement/index.ts';

type EndReason = Exclude<ClearedReason, 'RECOVERED'>;

const WATCHED = [
  'deviceId',
  'deviceVariableId',
  'operator',
  'thresholdValueNumber',
  'thresholdValueString',
  'thresholdValueBoolean',
] as const satisfies readonly (keyof AlarmRow)[];

const PACE = [
  'delayProcessingSeconds',
  'deadband',
  'clearDelaySeconds',
] as const satisfies readonly (keyof AlarmRow)[];

/** The effect of an edit on a pending hold or an open event: it ends, gets other delays, or stays. */
export type EditEffect = EndReason | 'DELAYS_CHANGED' | null;

export function effectOf(before: AlarmRow, after: AlarmRow): EditEffect {
  const wasWatching = before.isActive && before.archivedAt === null;
  if (wasWatching && after.archivedAt !== null) return 'ARCHIVED';
  if (wasWatching && !after.isActive) return 'DISABLED';
  if (WATCHED.some((term) => before[term] !== after[term])) return 'RECONFIGURED';
  if (before.isActive !== after.isActive || before.archivedAt !== after.archivedAt)
    return 'DELAYS_CHANGED';
  return PACE.some((term) => before[term] !== after[term]) ? 'DELAYS_CHANGED' : null;
}
