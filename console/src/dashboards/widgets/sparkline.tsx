import { useMemo } from 'react';
import type { Range } from '../../charts/index.ts';
import { useReadColumns, type Variable } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { readingText, sparklinePath } from '../../ui/index.ts';
import { useWidgetRange } from '../widget-range.ts';
import { Message } from './widget-message.tsx';
import classes from './widgets.module.css';

const BUCKETS = 120;
const WIDTH = 240;
const HEIGHT = 48;
const words = strings.dashboards.widget;

interface Props {
  readonly variable: Pick<Variable, 'id' | 'name' | 'unit' | 'type'>;
  readonly rangeMs: number | undefined;
}

/** A line without axes. Its lowest and highest value are in its name for screen readers. */
export function Sparkline({ variable, rangeMs }: Props) {
  const range = useWidgetRange(rangeMs);
  const course = useCourse(variable.id, range);
  const line = useMemo(() => sparklinePath(course, range, WIDTH, HEIGHT), [course, range]);
  if (variable.type !== 'NUMBER') return <Message>{words.numbersOnly}</Message>;
  if (!course) return null;
  if (!line) return <Message>{words.noHistory}</Message>;
  const text = (value: number) => readingText(value, variable.unit);
  return (
    <svg
      className={classes.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.course(variable.name, text(line.min), text(line.max))}
    >
      <path d={line.path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function useCourse(variableId: string, { startMs, endMs }: Range) {
  const { data } = useReadColumns(
    'listManyReadings',
    {
      query: {
        ids: [variableId],
        startTime: Math.round(startMs),
        endTime: Math.round(endMs),
        buckets: BUCKETS,
      },
    },
    { keepsPrevious: true },
  );
  return useMemo(() => {
    if (!data) return undefined;
    const [item] = data.items;
    return item && 'mean' in item.columns ? item.columns : { timestamp: [], mean: [] };
  }, [data]);
}
