import { Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { HistoryChart, type RangeChoice, RangePicker, useRange } from '../charts/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel, SEVERITY_TONES } from '../ui/index.ts';
import { periodColour } from '../variable-charts/index.ts';
import type { AlarmValues } from './alarm-values.ts';
import { BacktestPanel, useBacktest } from './backtest.tsx';

const words = strings.alarms;

interface Props {
  readonly variable: Variable | undefined;
  readonly values: AlarmValues;
  /** Without it, the line of the threshold cannot be dragged. */
  readonly onThreshold?: (value: number) => void;
}

/** The Variable's history with the threshold and the events of the backtest. */
export function Preview({ variable, values, onThreshold }: Props) {
  const [choice, setChoice] = useState<RangeChoice>({ last: 'day' });
  const range = useRange(choice);
  const variables = useMemo(() => (variable ? [variable] : []), [variable]);
  const { thresholdValueNumber, severity } = values;
  const thresholds = useMemo(
    () =>
      thresholdValueNumber === '' ||
      Number.isNaN(Number(thresholdValueNumber)) ||
      variable?.type !== 'NUMBER'
        ? []
        : [
            {
              value: Number(thresholdValueNumber),
              label: words.form.threshold,
              unit: variable.unit,
              tone: SEVERITY_TONES[severity],
            },
          ],
    [thresholdValueNumber, severity, variable],
  );
  const { data: backtest, isFetching } = useBacktest(values, variable, range);
  const periods = useMemo(
    () =>
      (backtest?.events ?? []).map(({ raisedDateTime, clearedDateTime }) => ({
        startMs: Date.parse(raisedDateTime),
        endMs: clearedDateTime ? Date.parse(clearedDateTime) : range.endMs,
        colour: periodColour(severity),
        label: words.backtest.active,
      })),
    [backtest, range.endMs, severity],
  );
  if (!variable) {
    return (
      <Panel>
        <Text size="sm" c="dimmed">
          {words.form.noVariable}
        </Text>
      </Panel>
    );
  }
  return (
    <Stack gap="md">
      <Panel
        title={variable.name}
        actions={<RangePicker choice={choice} range={range} onChange={setChoice} />}
      >
        <HistoryChart
          variables={variables}
          range={range}
          thresholds={thresholds}
          periods={periods}
          height={320}
          {...(onThreshold ? { onThreshold } : {})}
          onZoom={({ startMs, endMs }) => setChoice({ ...choice, from: startMs, to: endMs })}
          onZoomOut={() => setChoice({ last: choice.last })}
        />
      </Panel>
      <BacktestPanel values={values} variable={variable} isReady={!isFetching} />
    </Stack>
  );
}
