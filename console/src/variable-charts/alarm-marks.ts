import type { Severity } from '@fieldwatch/contract';
import { useMemo } from 'react';
import type { Period, Range, Threshold } from '../charts/index.ts';
import { STATES } from '../design/index.ts';
import { type AlarmEvent, useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { SEVERITY_TONES } from '../ui/index.ts';

const MAX_EVENTS = 1_000;

/** Both themes: a translucent mark behind the lines. */
const PERIOD_ALPHA = '2e';

/** The colour of the periods in which an Alarm of a severity was active. */
export function periodColour(severity: Severity): string {
  return `${STATES.light[SEVERITY_TONES[severity]].solid}${PERIOD_ALPHA}`;
}

export interface AlarmMarks {
  readonly thresholds: readonly Threshold[];
  readonly periods: readonly Period[];
  readonly events: readonly AlarmEvent[];
  readonly alarmIds: readonly string[];
}

const NONE: AlarmMarks = { thresholds: [], periods: [], events: [], alarmIds: [] };

/** The thresholds of the Alarms on these Variables, and the periods in which they were active. */
export function useAlarmMarks(
  variables: readonly Variable[],
  { startMs, endMs }: Range,
): AlarmMarks {
  const { may } = useSession();
  const isAllowed = may('ReadAlarmConfigurations');
  const enabled = isAllowed && variables.length > 0;
  const deviceVariableIds = variables.map(({ id }) => id);
  const { data: alarms } = useRead(
    'searchAlarms',
    { body: { deviceVariableIds, statuses: ['enabled'], take: 200 } },
    { enabled, keepsPrevious: true },
  );
  const span = { startTime: Math.max(0, Math.round(startMs)), endTime: Math.round(endMs) };
  const { data: history } = useRead(
    'listAlarmHistory',
    { body: { ...span, deviceVariableIds, take: MAX_EVENTS } },
    { enabled, keepsPrevious: true },
  );
  const marks = useMemo((): Omit<AlarmMarks, 'periods'> => {
    if (!isAllowed) return NONE;
    const byId = new Map(variables.map((variable) => [variable.id, variable]));
    const thresholds = (alarms?.items ?? []).flatMap((alarm) => {
      const watched = byId.get(alarm.deviceVariableId);
      const { thresholdValueNumber: value, name: label, severity } = alarm;
      if (!watched || value === null) return [];
      return [{ value, label, unit: watched.unit, tone: SEVERITY_TONES[severity] }];
    });
    const alarmIds = (alarms?.items ?? []).map(({ id }) => id);
    const found = history?.items.filter(({ deviceVariableId }) => byId.has(deviceVariableId));
    return { thresholds, alarmIds, events: found?.length ? found : NONE.events };
  }, [isAllowed, variables, alarms, history]);
  const { events } = marks;
  const periods = useMemo(() => periodsOf(events, endMs), [events, endMs]);
  return { ...marks, periods };
}

/** The periods of events; those of active ones reach to the end. Always the same where there are none. */
function periodsOf(events: readonly AlarmEvent[], endMs: number): readonly Period[] {
  if (events.length === 0) return NONE.periods;
  return events.map(({ alarmName, severity, raisedDateTime, clearedDateTime }) => ({
    startMs: Date.parse(raisedDateTime),
    endMs: clearedDateTime ? Date.parse(clearedDateTime) : endMs,
    colour: periodColour(severity),
    label: `${alarmName}, ${strings.severities[severity]}`,
  }));
}
