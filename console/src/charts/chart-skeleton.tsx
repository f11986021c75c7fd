import { Skeleton } from '@mantine/core';
import { strings } from '../strings/index.ts';
import classes from './chart-skeleton.module.css';

const ROW_PX = 26;

interface Props {
  readonly height: number;
  /** The rows of the legend that will be below, so that nothing moves when the chart appears. */
  readonly rows?: number;
}

/** The shape of a chart while its readings load. */
export function ChartSkeleton({ height, rows = 0 }: Props) {
  return (
    <div role="status" aria-label={strings.ui.loading}>
      <div className={classes.chart} style={{ height }}>
        <div className={classes.values}>
          {['a', 'b', 'c', 'd'].map((tick) => (
            <Skeleton key={tick} height={8} width={28} />
          ))}
        </div>
        <Skeleton className={classes.area} radius="sm" />
      </div>
      {rows > 0 ? <div style={{ height: rows * ROW_PX + 6 }} /> : null}
    </div>
  );
}
