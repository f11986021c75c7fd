import type { Severity } from '@fieldwatch/contract';
import { useMemo } from 'react';
import type { Period, Range, Threshold } from '../charts/index.ts';
import { useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';

const MOST = 1_000;

const VEILS: Readonly<Record<Severity, string>> = {
  CRITICAL: '#e0313133',
  HIGH: '#e8590c2e',
  MEDIUM: '#e0a8002e',
  LOW: '#1c7ed624',
  INFO: '#868e9624',
};

/** The thresholds of the Alarms that watch a Variable, and when they were open. */
export function useAlarmMarks(
  variable: Variable,
  { startMs, endMs }: Range,
): { thresholds: readonly Threshold[]; periods: readonly Period[] } {
  const { may } = useSession();
  const enabled = may('ReadAlarmConfigurations');
  const { data: alarms } = useRead(
    'searchAlarms',
    { body: { deviceVariableIds: [variable.id], take: 100 } },
    { enabled },
  );
  const { data: history } = useRead(
    'listAlarmHistory',
    { body: { startTime: Math.round(startMs), endTime: Math.round(endMs), take: MOST } },
    { enabled, keepsPrevious: true },
  );
  const thresholds = useMemo(
    () =>
      (alarms?.items ?? []).flatMap(({ name, isActive, thresholdValueNumber }) =>
        isActive && thresholdValueNumber !== null
          ? [{ value: thresholdValueNumber, label: name, unit: variable.unit }]
          : [],
      ),
    [alarms, variable.unit],
  );
  const periods = useMemo(
    () =>
      (history?.items ?? [])
        .filter(({ deviceVariableId }) => deviceVariableId === variable.id)
        .map(({ raisedDateTime, clearedDateTime, severity }) => ({
          startMs: Date.parse(raisedDateTime),
          endMs: clearedDateTime ? Date.parse(clearedDateTime) : endMs,
          colour: VEILS[severity],
        })),
    [history, variable.id, endMs],
  );
  return { thresholds, periods };
}
