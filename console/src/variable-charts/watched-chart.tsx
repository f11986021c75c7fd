import { Switch } from '@mantine/core';
import { useState } from 'react';
import { type ChartOptions, HistoryChart, type Range } from '../charts/index.ts';
import { keep, readKept } from '../runtime/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { useAlarmMarks } from './alarm-marks.ts';

interface Given extends Omit<ChartOptions, 'periods' | 'extra'> {
  readonly variables: readonly Variable[];
  readonly range: Range;
  readonly height?: number;
}

const KEPT = 'chart-alarms';

/** The history of Variables with what their Alarms make of it, which can be taken away. */
export function WatchedChart(given: Given) {
  const [isMarked, setIsMarked] = useState(() => readKept(KEPT) !== 'off');
  const { thresholds, periods } = useAlarmMarks(given.variables, given.range);
  const isWatched = thresholds.length > 0 || periods.length > 0;
  const toggle = () => {
    keep(KEPT, isMarked ? 'off' : null);
    setIsMarked(!isMarked);
  };
  return (
    <HistoryChart
      {...given}
      thresholds={isMarked ? (given.thresholds ?? thresholds) : undefined}
      periods={isMarked ? periods : undefined}
      extra={
        isWatched ? (
          <Switch size="xs" label={strings.charts.alarms} checked={isMarked} onChange={toggle} />
        ) : null
      }
    />
  );
}
