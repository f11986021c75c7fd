import type { WidgetThreshold } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { type LiveValue, useLatest, useLiveValue, useLostSince } from '../../live/index.ts';
import { useNow } from '../../runtime/index.ts';
import { isGone, useRead, type Variable } from '../../service/index.ts';
import { useSession } from '../../session/index.ts';
import type { Settings } from '../widget.ts';

/** A value older than this is marked: the Variable may not be reported any more. */
const STALE_MS = 60 * 60_000;

/** The Variable of a widget with its newest value, or the reason why there is none. */
export type WidgetValue =
  | { readonly kind: 'unset' | 'unresolved' | 'loading' | 'gone' }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'noData'; readonly variable: Variable }
  | {
      readonly kind: 'value';
      readonly variable: Variable;
      readonly live: LiveValue;
      /** Whether the value is old, or no newer one can arrive. */
      readonly isStale: boolean;
    };

export function useWidgetValue({ variableId, classificationType }: Settings): WidgetValue {
  const id = variableId ?? '';
  const enabled = variableId !== null;
  const { data, error } = useRead(
    'retrieveVariable',
    { variableId: id },
    { enabled, staleMs: 60_000 },
  );
  const latest = useLatest(enabled ? [id] : []);
  const live = useLiveValue(id);
  const isLost = useLostSince() !== null;
  const now = useNow();
  if (!enabled) return { kind: classificationType === null ? 'unset' : 'unresolved' };
  if (!data && error) return isGone(error) ? { kind: 'gone' } : { kind: 'failed', error };
  if (!data) return { kind: 'loading' };
  if (live) {
    const isStale = isLost || now - live.timestamp > STALE_MS;
    return { kind: 'value', variable: data, live, isStale };
  }
  if (latest.error) return { kind: 'failed', error: latest.error };
  return latest.isPending ? { kind: 'loading' } : { kind: 'noData', variable: data };
}

const MAX_ALARMS = 200;
const NONE: readonly WidgetThreshold[] = [];

type ThresholdSettings = Pick<Settings, 'thresholdSource' | 'thresholds'>;

/** The thresholds of each Variable: those of the widget, or those of its enabled Alarms. */
export function useThresholds(
  variableIds: readonly string[],
  { thresholdSource, thresholds }: ThresholdSettings,
): (variableId: string) => readonly WidgetThreshold[] {
  const { may } = useSession();
  const { data } = useRead(
    'searchAlarms',
    { body: { deviceVariableIds: [...variableIds], statuses: ['enabled'], take: MAX_ALARMS } },
    {
      enabled:
        thresholdSource === 'ALARMS' && variableIds.length > 0 && may('ReadAlarmConfigurations'),
      keepsPrevious: true,
      staleMs: 60_000,
    },
  );
  const byVariable = useMemo(() => {
    const found = new Map<string, WidgetThreshold[]>();
    for (const { deviceVariableId, operator, thresholdValueNumber, severity } of data?.items ??
      []) {
      if (thresholdValueNumber === null) continue;
      const those = found.get(deviceVariableId) ?? [];
      found.set(deviceVariableId, [...those, { operator, value: thresholdValueNumber, severity }]);
    }
    return found;
  }, [data]);
  return (variableId) => {
    if (thresholdSource === 'NONE') return NONE;
    return thresholdSource === 'OWN' ? thresholds : (byVariable.get(variableId) ?? NONE);
  };
}
