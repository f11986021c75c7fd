import type { Site } from '@fieldwatch/contract';
import type { Tone } from '../design/index.ts';
import { useLiveValues } from '../live/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { duration, readingText, StateBadge, Timestamp } from '../ui/index.ts';
import classes from './sites.module.css';
import {
  loadVariables,
  lowestTank,
  type PowerSource,
  powerSourceOf,
  type Quantity,
  sumOf,
  type Tank,
} from './supply.ts';
import { timeToEmpty } from './time-to-empty.ts';
import { TrendLine } from './trend-line.tsx';
import { type Course, sumOfCourses, type Trends } from './trends.ts';

const words = strings.overview;

const SOURCE_TONES: Readonly<Record<PowerSource, Tone>> = {
  UTILITY: 'utility',
  GENERATOR: 'generator',
  BOTH: 'info',
  OFF_UTILITY: 'generator',
  NONE: 'bad',
};

const HOUR_MS = 3_600_000;
const STALE_MS = HOUR_MS / 4;

/** Source, load and fuel of a site by its newest values. */
export function SupplyCells({ site, trends }: { site: Site; trends: Trends }) {
  const { variables } = site;
  const values = useLiveValues(variables.map(({ id }) => id));
  const source = powerSourceOf(variables, values);
  const parts = loadVariables(variables);
  const load = sumOf(parts, values);
  const tank = lowestTank(variables, values);
  return (
    <>
      <span className={classes.source}>
        {source ? (
          <StateBadge tone={SOURCE_TONES[source]}>{words.sources[source]}</StateBadge>
        ) : null}
      </span>
      <span className={classes.load}>
        {load ? (
          <Measure
            name={words.columns.load}
            quantity={load}
            course={sumOfCourses(parts.map(({ id }) => trends.courses.get(id)))}
            {...{ site, trends }}
          />
        ) : null}
      </span>
      <span className={classes.fuel}>
        {tank ? (
          <>
            <Measure
              name={words.columns.fuel}
              quantity={tank}
              course={trends.courses.get(tank.variableId)}
              {...{ site, trends }}
            />
            <TimeToEmpty tank={tank} trends={trends} />
          </>
        ) : null}
      </span>
    </>
  );
}

interface MeasureProps {
  readonly name: string;
  readonly quantity: Quantity;
  readonly course: Course | undefined;
  readonly site: Site;
  readonly trends: Trends;
}

/** A value with its course of the last day. */
function Measure({ name, quantity, course, site, trends }: MeasureProps) {
  const now = useNow();
  const { value, unit, atMs } = quantity;
  const isStale = site.silentDeviceCount > 0 && now - atMs > STALE_MS;
  return (
    <span className={classes.measure} data-stale={isStale || undefined}>
      <span className={classes.label}>{name}</span>
      <span className={`tabular ${classes.value}`}>{quantityText(value, unit)}</span>
      <TrendLine name={name} unit={unit} course={course} trends={trends} />
      {isStale ? (
        <span className={classes.detail}>
          {words.asOf} <Timestamp at={atMs} form="relative" />
        </span>
      ) : null}
    </span>
  );
}

const quantityText = (value: number, unit: string | null) =>
  readingText(value, unit, Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);

const SOON = [
  [4, 'bad'],
  [12, 'medium'],
] as const;

function TimeToEmpty({ tank, trends: { courses, stepMs } }: { tank: Tank; trends: Trends }) {
  const now = useNow();
  const course = courses.get(tank.variableId);
  const points = (course?.timestamp ?? []).map((startMs, index) => ({
    atMs: (startMs + Math.min(startMs + stepMs, now)) / 2,
    level: course?.mean[index] ?? 0,
  }));
  const leftMs = timeToEmpty(points, now);
  if (leftMs === null) return null;
  const tone = SOON.find(([hours]) => leftMs < hours * HOUR_MS)?.[1];
  return (
    <span className={classes.empty} data-tone={tone}>
      {words.emptyIn(roundedDuration(leftMs))}
    </span>
  );
}

/** An estimate is not exact to the minute. */
function roundedDuration(ms: number): string {
  const stepMs = ms < 2 * HOUR_MS ? HOUR_MS / 12 : ms < 10 * HOUR_MS ? HOUR_MS / 2 : HOUR_MS;
  return duration(Math.max(stepMs, Math.round(ms / stepMs) * stepMs));
}
