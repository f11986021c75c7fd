import { useMemo, useState } from 'react';
import {
  type Annotation,
  type AnnotationKind,
  type ChartOptions,
  type ChartView,
  eventAnnotations,
  HistoryChart,
  type Range,
} from '../charts/index.ts';
import type { Variable } from '../service/index.ts';
import { useAlarmMarks } from './alarm-marks.ts';
import { AnnotationMenu } from './annotation-menu.tsx';
import { useChanges, usePresenceChanges } from './annotations.ts';
import { readKindsOff, writeKindsOff } from './kinds-off.ts';

interface Props extends Omit<ChartOptions, 'periods' | 'extra' | 'annotations'> {
  readonly variables: readonly Variable[];
  /** Whether Variables are being loaded. */
  readonly isPending?: boolean;
  readonly range: Range;
  readonly height?: number;
}

/** The history of Variables with their Alarms and what else happened, each kind of which can be hidden. */
export function WatchedChart(props: Props) {
  const { variables, range } = props;
  const [ownView, setOwnView] = useState<ChartView>(() => ({ off: readKindsOff() }));
  const view = props.view ?? ownView;
  const setView = props.onView ?? setOwnView;
  const off = useMemo(() => new Set(view.off ?? []), [view.off]);
  const { thresholds, periods, events, alarmIds } = useAlarmMarks(variables, range);
  const recordIds = useMemo(
    () => [...variables.map(({ id }) => id), ...alarmIds],
    [variables, alarmIds],
  );
  // A wall would have a lane below each of its charts, so that marks are for charts with statistics.
  const isAnnotated = props.hasStatistics ?? false;
  const changes = useChanges(recordIds, isAnnotated && !off.has('change'));
  const presence = usePresenceChanges(variables, range, isAnnotated && !off.has('offline'));
  const annotations = useMemo((): readonly Annotation[] => {
    if (!isAnnotated) return [];
    return [...eventAnnotations(events), ...changes, ...presence].filter(
      ({ kind }) => !off.has(kind),
    );
  }, [isAnnotated, events, changes, presence, off]);
  const onKinds = (kinds: readonly AnnotationKind[]) => {
    writeKindsOff(kinds);
    setView({ ...view, off: kinds.length > 0 ? kinds : undefined });
  };
  const isMarked = !off.has('alarm');
  return (
    <HistoryChart
      {...props}
      view={view}
      onView={setView}
      annotations={annotations}
      thresholds={isMarked ? (props.thresholds ?? thresholds) : undefined}
      periods={isMarked ? periods : undefined}
      extra={<AnnotationMenu isFull={isAnnotated} off={[...off]} onChange={onKinds} />}
    />
  );
}
