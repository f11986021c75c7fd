import type { Site } from '@fieldwatch/contract';
import type { ReactNode } from 'react';
import type { Tone } from '../design/index.ts';
import { useLiveValues } from '../live/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { readingText, StateBadge, Timestamp } from '../ui/index.ts';
import { TimeToEmpty } from './empty-note.tsx';
import classes from './sites.module.css';
import {
  fuelVariables,
  hasSource,
  loadVariables,
  lowestTank,
  type PowerSource,
  powerSourceOf,
  type Quantity,
  sumOf,
} from './supply.ts';
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

const STALE_MS = 15 * 60_000;

/** Source, load and fuel of a site by its newest values. */
export function SupplyCells({ site, trends }: { site: Site; trends: Trends }) {
  const { variables } = site;
  const values = useLiveValues(variables.map(({ id }) => id));
  const source = powerSourceOf(variables, values);
  const parts = loadVariables(variables);
  const tank = lowestTank(variables, values);
  return (
    <>
      <span className={classes.source}>
        {source ? (
          <StateBadge tone={SOURCE_TONES[source]}>{words.sources[source]}</StateBadge>
        ) : // A badge that comes later moves nothing.
        hasSource(variables) ? (
          '–'
        ) : null}
      </span>
      <span className={classes.load}>
        {parts.length > 0 ? (
          <Measure
            name={words.columns.load}
            quantity={sumOf(parts, values)}
            course={sumOfCourses(parts.map(({ id }) => trends.courses.get(id)))}
            {...{ site, trends }}
          />
        ) : null}
      </span>
      <span className={classes.fuel}>
        {fuelVariables(variables).length > 0 ? (
          <Measure
            name={words.columns.fuel}
            quantity={tank}
            course={tank ? trends.courses.get(tank.variableId) : undefined}
            note={tank ? <TimeToEmpty tank={tank} trends={trends} /> : null}
            {...{ site, trends }}
          />
        ) : null}
      </span>
    </>
  );
}

interface MeasureProps {
  readonly name: string;
  /** Null until its value is known; its place is there from the beginning. */
  readonly quantity: Quantity | null;
  readonly course: Course | undefined;
  readonly note?: ReactNode;
  readonly site: Site;
  readonly trends: Trends;
}

/** A value with its course of the last day. */
function Measure({ name, quantity, course, note, site, trends }: MeasureProps) {
  const now = useNow();
  const isStale = quantity && site.silentDeviceCount > 0 && now - quantity.atMs > STALE_MS;
  return (
    <span className={classes.measure} data-stale={isStale || undefined}>
      <span className={classes.label}>{name}</span>
      <span className={`tabular ${classes.value}`}>
        {quantity ? quantityText(quantity.value, quantity.unit) : '–'}
      </span>
      <TrendLine name={name} unit={quantity?.unit ?? null} course={course} trends={trends} />
      <span className={classes.note}>
        {isStale ? (
          <>
            {words.asOf} <Timestamp at={quantity.atMs} form="relative" />
          </>
        ) : (
          note
        )}
      </span>
    </span>
  );
}

const quantityText = (value: number, unit: string | null) =>
  readingText(value, unit, Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);
