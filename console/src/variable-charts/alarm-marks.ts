import type { Severity } from '@fieldwatch/contract';
import { useMemo } from 'react';
import type { Period, Range, Threshold } from '../charts/index.ts';
import { useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';

const MAX_EVENTS = 1_000;

const PERIOD_COLOURS: Readonly<Record<Severity, string>> = {
  CRITICAL: '#e0313133',
  HIGH: '#e8590c2e',
  MEDIUM: '#e0a8002e',
  LOW: '#1c7ed624',
  INFO: '#868e9624',
};

export interface AlarmMarks {
  readonly thresholds: readonly Threshold[];
  readonly periods: readonly Period[];
}

const NONE: AlarmMarks = { thresholds: [], periods: [] };

/** The thresholds of the Alarms on these Variables, and the periods in which they were active. */
export function useAlarmMarks(variables: readonly Variable[], { startMs, endMs }: Range) {
  const { may } = useSession();
  const isAllowed = may('ReadAlarmConfigurations');
  const enabled = isAllowed && variables.length > 0;
  const deviceVariableIds = variables.map(({ id }) => id);
  const { data: alarms } = useRead(
    'searchAlarms',
    { body: { deviceVariableIds, statuses: ['enabled'], take: 200 } },
    { enabled, keepsPrevious: true },
  );
  const span = { startTime: Math.round(startMs), endTime: Math.round(endMs) };
  const { data: history } = useRead(
    'listAlarmHistory',
    { body: { ...span, deviceVariableIds, take: MAX_EVENTS } },
    { enabled, keepsPrevious: true },
  );
  return useMemo((): AlarmMarks => {
    if (!isAllowed) return NONE;
    const byId = new Map(variables.map((variable) => [variable.id, variable]));
    const thresholds = (alarms?.items ?? []).flatMap((alarm) => {
      const watched = byId.get(alarm.deviceVariableId);
      const { thresholdValueNumber: value, name } = alarm;
      return watched && value !== null ? [{ value, label: name, unit: watched.unit }] : [];
    });
    const periods = (history?.items ?? [])
      .filter(({ deviceVariableId }) => byId.has(deviceVariableId))
      .map(({ alarmName, severity, raisedDateTime, clearedDateTime }) => ({
        startMs: Date.parse(raisedDateTime),
        endMs: clearedDateTime ? Date.parse(clearedDateTime) : endMs,
        colour: PERIOD_COLOURS[severity],
        label: `${alarmName}, ${strings.severities[severity]}`,
      }));
    return { thresholds, periods };
  }, [isAllowed, variables, alarms, history, endMs]);
}
