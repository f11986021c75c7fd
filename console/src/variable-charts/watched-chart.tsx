import { Switch } from '@mantine/core';
import { useState } from 'react';
import { type ChartOptions, HistoryChart, type Range } from '../charts/index.ts';
import { readStored, writeStored } from '../runtime/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { useAlarmMarks } from './alarm-marks.ts';

interface Props extends Omit<ChartOptions, 'periods' | 'extra'> {
  readonly variables: readonly Variable[];
  /** Whether Variables are being loaded. */
  readonly isPending?: boolean;
  readonly range: Range;
  readonly height?: number;
}

const STORAGE_NAME = 'chart-alarms';

/** The history of Variables with thresholds and active periods of their Alarms, which can be hidden. */
export function WatchedChart(props: Props) {
  const [isMarked, setIsMarked] = useState(() => readStored(STORAGE_NAME) !== 'off');
  const { thresholds, periods } = useAlarmMarks(props.variables, props.range);
  const isWatched = thresholds.length > 0 || periods.length > 0;
  const toggle = () => {
    writeStored(STORAGE_NAME, isMarked ? 'off' : null);
    setIsMarked(!isMarked);
  };
  return (
    <HistoryChart
      {...props}
      thresholds={isMarked ? (props.thresholds ?? thresholds) : undefined}
      periods={isMarked ? periods : undefined}
      extra={
        isWatched ? (
          <Switch size="xs" label={strings.charts.alarms} checked={isMarked} onChange={toggle} />
        ) : null
      }
    />
  );
}
