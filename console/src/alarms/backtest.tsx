import type { VariableType } from '@fieldwatch/contract';
import { SimpleGrid, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNow } from '../runtime/index.ts';
import { type Input, type Reply, useRead, type Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { countText, duration, Panel } from '../ui/index.ts';
import { type AlarmValues, alarmErrors, bodyOf } from './alarm-values.ts';

const words = strings.alarms.backtest;
const DAY_MS = 24 * 60 * 60_000;
const TYPING_PAUSE_MS = 350;

type Backtest = Reply<'backtestAlarm'>;

/** Whether the settings have a threshold and nothing that would be refused. */
function isTestable(values: AlarmValues, type: VariableType): boolean {
  const hasThreshold = type !== 'NUMBER' || values.thresholdValueNumber !== '';
  return hasThreshold && Object.keys(alarmErrors(values, type)).length === 0;
}

function bodyOver(
  values: AlarmValues,
  type: VariableType,
  range: { startMs: number; endMs: number },
): Input<'backtestAlarm'>['body'] {
  return {
    ...bodyOf(values, type),
    // The API requires a name, which does not affect the result and may be empty in the form.
    name: words.title,
    startTime: Math.round(range.startMs),
    endTime: Math.round(range.endMs),
  };
}

/** The backtest of the form's settings over a range. */
export function useBacktest(
  values: AlarmValues,
  variable: Variable | undefined,
  range: { readonly startMs: number; readonly endMs: number },
  isEnabled = true,
) {
  const [settled] = useDebouncedValue(values, TYPING_PAUSE_MS);
  const type = variable?.type ?? 'NUMBER';
  const isComplete =
    variable !== undefined && settled.deviceVariableId === variable.id && isTestable(settled, type);
  return useRead(
    'backtestAlarm',
    { body: bodyOver(settled, type, range) },
    { enabled: isComplete && isEnabled, keepsPrevious: true, staleMs: 60_000 },
  );
}

interface PanelProps {
  readonly values: AlarmValues;
  readonly variable: Variable;
  /** Whether the backtest of the chart is done. */
  readonly isReady: boolean;
}

/** The backtest of a number of days up to now. */
function useSpan({ values, variable }: PanelProps, days: number, isEnabled: boolean) {
  const now = useNow();
  const endMs = Math.ceil(now / 60_000) * 60_000;
  return useBacktest(values, variable, { startMs: endMs - days * DAY_MS, endMs }, isEnabled);
}

/**
 * The number of events in the backtests of the last day, week and month. They run one after the
 * other, since the server runs one backtest per credential at a time.
 */
export function BacktestPanel(props: PanelProps) {
  const day = useSpan(props, 1, props.isReady);
  const isDayDone = props.isReady && !day.isFetching;
  const week = useSpan(props, 7, isDayDone);
  const month = useSpan(props, 30, isDayDone && !week.isFetching);
  return (
    <Panel title={words.title}>
      {isTestable(props.values, props.variable.type) ? (
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <Span label={words.day} backtest={day} />
          <Span label={words.week} backtest={week} />
          <Span label={words.month} backtest={month} />
        </SimpleGrid>
      ) : (
        <Text size="sm" c="dimmed">
          {words.incomplete}
        </Text>
      )}
    </Panel>
  );
}

interface SpanProps {
  readonly label: string;
  readonly backtest: UseQueryResult<Backtest, Error>;
}

function Span({ label, backtest: { data, error } }: SpanProps) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={650} size="lg" className="tabular" role="status">
        {data ? words.events(countText(data.eventCount)) : error ? '–' : words.waiting}
      </Text>
      <Text size="xs" c="dimmed">
        {data ? detailOf(data) : error ? words.failed : null}
      </Text>
    </div>
  );
}

function detailOf({ readingCount, triggeredMs }: Backtest): string {
  if (readingCount === 0) return words.noHistory;
  return triggeredMs === 0 ? words.none : words.total(duration(triggeredMs));
}
