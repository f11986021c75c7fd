import { strings } from '../strings/index.ts';
import { readingText, sparklinePath } from '../ui/index.ts';
import classes from './sites.module.css';
import type { Course, Trends } from './trends.ts';

const WIDTH = 96;
const HEIGHT = 24;

interface Props {
  readonly name: string;
  readonly unit: string | null;
  readonly course: Course | undefined;
  readonly trends: Trends;
}

/** The course of the last day without axes; its place is reserved while it is loading. */
export function TrendLine({ name, unit, course, trends }: Props) {
  const line = sparklinePath(course, trends, WIDTH, HEIGHT);
  if (!line) return <span className={classes.trend} />;
  const text = (value: number) => readingText(value, unit, 1);
  return (
    <svg
      className={classes.trend}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={strings.overview.trend(name, text(line.min), text(line.max))}
    >
      <path d={line.path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
