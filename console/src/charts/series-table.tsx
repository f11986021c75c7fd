import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useLiveValue } from '../live/index.ts';
import { strings } from '../strings/index.ts';
import { numberText } from '../ui/index.ts';
import type { Line } from './histories.ts';
import classes from './legend.module.css';
import { type SeriesActions, SeriesButton } from './legend.tsx';
import type { Range } from './range.ts';
import {
  nextOrder,
  type Order,
  STATISTICS,
  type Statistic,
  type Statistics,
  sortedRows,
  statisticOf,
  withLatest,
} from './statistics.ts';

interface Props extends SeriesActions {
  readonly lines: readonly Line[];
  readonly range: Range;
  readonly current: ReadonlyMap<string, Statistics> | null;
  /** Of the compared range. */
  readonly earlier: ReadonlyMap<string, Statistics> | null;
}

const words = strings.charts.statistics;
const MINOR: ReadonlySet<Statistic> = new Set(['timeWeightedMean', 'change']);
const HINTS: Readonly<Partial<Record<Statistic, string>>> = {
  timeWeightedMean: words.timeWeightedHint,
  change: words.changeHint,
};

/** The lines with their statistics over the range: the legend, and the chart for screen readers. */
export function SeriesTable({ lines, range, current, earlier, ...actions }: Props) {
  const [order, setOrder] = useState<Order | null>(null);
  const rows = lines.map((line, index) => {
    const found = (line.isCompared ? earlier : current)?.get(line.variable.id);
    return { line, index, name: line.name, statistics: found };
  });
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <caption>
          <VisuallyHidden>{words.title}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {(['name', ...STATISTICS] as const).map((by) => (
              <Head key={by} by={by} order={order} onOrder={() => setOrder(nextOrder(order, by))} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortedRows(rows, order).map(({ line, index, statistics }) => (
            <tr
              key={`${line.variable.id} ${line.isCompared}`}
              onPointerEnter={() => actions.onHover(index)}
              onPointerLeave={() => actions.onHover(null)}
            >
              <th scope="row">
                <SeriesButton line={line} index={index} {...actions} />
              </th>
              <Cells line={line} statistics={statistics} range={range} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  readonly by: Order['by'];
  readonly order: Order | null;
  readonly onOrder: () => void;
}

function Head({ by, order, onOrder }: HeadProps) {
  const isSorted = order?.by === by;
  const direction = order?.isDescending ? 'descending' : 'ascending';
  const name = by === 'name' ? words.series : words[by];
  const hint = by === 'name' ? undefined : HINTS[by];
  const button = (
    <UnstyledButton className={classes.head} onClick={onOrder}>
      {name}
      {isSorted ? (order.isDescending ? ' ↓' : ' ↑') : ''}
    </UnstyledButton>
  );
  return (
    <th
      scope="col"
      className={by !== 'name' && MINOR.has(by) ? classes.minor : undefined}
      aria-sort={isSorted ? direction : undefined}
    >
      {hint ? <Tooltip label={hint}>{button}</Tooltip> : button}
    </th>
  );
}

interface CellsProps {
  readonly line: Line;
  readonly statistics: Statistics | undefined;
  readonly range: Range;
}

function Cells({ line: { variable, isCompared }, statistics, range }: CellsProps) {
  const latest = useLiveValue(variable.id);
  const shown = isCompared ? statistics : withLatest(statistics, latest, range);
  return STATISTICS.map((statistic) => {
    const value = statisticOf(shown, statistic);
    const unit = variable.unit ? ` ${variable.unit}` : '';
    const sign = statistic === 'change' && value !== null && value > 0 ? '+' : '';
    return (
      <td
        key={statistic}
        className={MINOR.has(statistic) ? `tabular ${classes.minor}` : 'tabular'}
        data-compared={isCompared || undefined}
      >
        {value === null ? '–' : `${sign}${numberText(value)}${unit}`}
      </td>
    );
  });
}
