import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type RangeChoice, RangePicker, useRange } from '../charts/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel } from '../ui/index.ts';
import classes from './chart-panel.module.css';
import { WatchedChart } from './watched-chart.tsx';

interface Given {
  readonly title: string;
  readonly variables: readonly Variable[];
  readonly choice: RangeChoice;
  readonly onChoice: (choice: RangeChoice) => void;
  readonly height?: number;
  /** Beside the choice of the range. */
  readonly actions?: ReactNode;
  /** Under the chart: what else there is to know. */
  readonly note?: string;
  /** In its place while no Variable is chosen. */
  readonly empty?: string;
}

/** Variables on one time axis: a range by a click, a stretch by dragging, and the way back. */
export function ChartPanel(given: Given) {
  const { title, variables, choice, onChoice, height = 320, actions, note = '', empty } = given;
  const range = useRange(choice);
  return (
    <Panel
      title={title}
      actions={
        <>
          <RangePicker choice={choice} range={range} onChange={onChoice} />
          {actions}
        </>
      }
    >
      {variables.length === 0 && empty ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <>
          <WatchedChart
            variables={variables}
            range={range}
            height={height}
            onZoom={({ startMs, endMs }) => onChoice({ last: undefined, from: startMs, to: endMs })}
            onZoomOut={() => onChoice({ last: choice.last, from: undefined, to: undefined })}
          />
          <Text size="xs" c="dimmed">
            <span className={classes.hint}>{strings.charts.hint}</span> {note}
          </Text>
        </>
      )}
    </Panel>
  );
}
