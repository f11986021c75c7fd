import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type RangeChoice, RangePicker, useRange } from '../charts/index.ts';
import { useDistinctNames } from '../references/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel } from '../ui/index.ts';
import classes from './chart-panel.module.css';
import { WatchedChart } from './watched-chart.tsx';

interface Props {
  readonly title: string;
  readonly variables: readonly Variable[];
  /** Whether the legend names the Device also when all are of one, as the page does not say it. */
  readonly isDeviceNamed?: boolean;
  /** Whether Variables are being loaded. */
  readonly isPending?: boolean;
  readonly choice: RangeChoice;
  readonly onChoice: (choice: RangeChoice) => void;
  readonly height?: number;
  /** Shown beside the range picker. */
  readonly actions?: ReactNode;
  /** Shown under the chart. */
  readonly note?: string;
  /** Shown while no Variable is selected. */
  readonly empty?: string;
}

/** Variables on one time axis, with a range picker and zoom. */
export function ChartPanel(props: Props) {
  const { title, choice, onChoice, height = 320, actions, note = '', empty } = props;
  const variables = useDistinctNames(props.variables, props.isDeviceNamed);
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
            isPending={props.isPending ?? false}
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
