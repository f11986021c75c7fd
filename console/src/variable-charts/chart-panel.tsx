import { Group, Text } from '@mantine/core';
import {
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  type ChartChoice,
  type ChartView,
  type Range,
  type RangeChoice,
  RangePicker,
  useRange,
  useRangeHistory,
} from '../charts/index.ts';
import { useDistinctNames } from '../references/index.ts';
import { createSignal, type Signal } from '../runtime/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel } from '../ui/index.ts';
import classes from './chart-panel.module.css';
import { CompareMenu } from './compare-menu.tsx';
import { ExportMenu } from './export-menu.tsx';
import { LinkMenu } from './link-menu.tsx';
import { ScaleMenu } from './scale-menu.tsx';
import { WatchedChart } from './watched-chart.tsx';

interface Props {
  readonly title: string;
  readonly variables: readonly Variable[];
  /** Whether the legend names the Device also when all are of one, as the page does not say it. */
  readonly isDeviceNamed?: boolean;
  /** Whether Variables are being loaded. */
  readonly isPending?: boolean;
  readonly choice: ChartChoice;
  /** Called with what changes. */
  readonly onChoice: (change: ChartChoice) => void;
  readonly height?: number;
  /** Shown beside the range picker. */
  readonly actions?: ReactNode;
  /** Shown under the chart. */
  readonly note?: string;
  /** Shown while no Variable is selected. */
  readonly empty?: string;
}

/**
 * Variables on one time axis, with a range picker, zoom, comparison, scales and export. The chart
 * itself follows a zoom at once; all else is rendered when the browser has time, so that no frame is
 * late.
 */
export function ChartPanel({ choice, onChoice, ...props }: Props) {
  const latest = useRef(onChoice);
  latest.current = onChoice;
  const { onRange, onBack } = useRangeHistory(choice, onChoice);
  const range = useRange(choice);
  const [selected] = useState(() => createSignal(range));
  useLayoutEffect(() => selected.set(range), [selected, range]);
  const onView = useCallback(
    ({ compare, log, zero, min, max, hide, off }: ChartView) =>
      latest.current({ compare, log, zero, min, max, hide, off }),
    [],
  );
  return (
    <Rendered
      {...props}
      choice={useDeferredValue(choice)}
      onRange={onRange}
      onBack={onBack}
      onView={onView}
      selected={selected}
    />
  );
}

interface RenderedProps extends Omit<Props, 'onChoice'> {
  readonly onRange: (range: RangeChoice) => void;
  readonly onBack: (() => void) | null;
  readonly onView: (view: ChartView) => void;
  readonly selected: Signal<Range>;
}

const Rendered = memo((props: RenderedProps) => {
  const { title, choice, onRange, onBack, onView, actions, empty } = props;
  const variables = useDistinctNames(props.variables, props.isDeviceNamed);
  const range = useRange(choice);
  const isEmpty = variables.length === 0 && empty !== undefined;
  return (
    <Panel
      title={title}
      actions={
        <Group gap={4}>
          <RangePicker choice={choice} range={range} onChange={onRange} onBack={onBack} />
          {isEmpty ? null : (
            <Group gap={2} wrap="nowrap">
              <CompareMenu view={choice} onChange={onView} />
              <ScaleMenu view={choice} variables={variables} onChange={onView} />
              <ExportMenu variables={variables} range={range} />
              <LinkMenu range={range} isFixed={choice.from !== undefined} />
            </Group>
          )}
          {actions}
        </Group>
      }
    >
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <Chart {...props} variables={variables} range={range} />
      )}
    </Panel>
  );
});

function Chart(props: RenderedProps & { readonly range: Range }) {
  const { variables, range, choice, onRange, onView, height = 320, note = '' } = props;
  return (
    <>
      <WatchedChart
        variables={variables}
        isPending={props.isPending ?? false}
        range={range}
        height={height}
        view={choice}
        onView={onView}
        hasStatistics
        selected={props.selected}
        onZoom={({ startMs, endMs }) => onRange({ from: startMs, to: endMs })}
        onZoomOut={() => onRange({ last: choice.last })}
      />
      <Text size="xs" c="dimmed">
        <span className={classes.hint}>{strings.charts.hint}</span> {note}
      </Text>
    </>
  );
}
