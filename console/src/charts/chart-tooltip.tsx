import { Paper } from '@mantine/core';
import { type RefObject, useSyncExternalStore } from 'react';
import { IconBellRinging } from '../icons/index.ts';
import { exactTime, numberText, readingText } from '../ui/index.ts';
import classes from './chart-tooltip.module.css';
import { crosshair } from './crosshair.ts';
import { LineMark } from './line-mark.tsx';
import type { LivePlot } from './live-plot.ts';
import { scaleOf, type Threshold } from './marks.ts';
import type { LineValue, ValuesAt } from './values-at.ts';

interface Props {
  readonly owner: object;
  readonly live: RefObject<LivePlot | null>;
  readonly valuesAt: (ms: number) => ValuesAt;
  readonly thresholds: readonly Threshold[];
}

const DISTANCE_PX = 14;
/** A threshold is named when the pointer is this close to its line. */
const NEAR_PX = 8;

/** What the chart under the pointer shows there. Only this renders while the pointer moves. */
export function ChartTooltip({ owner, live, valuesAt, thresholds }: Props) {
  const at = useSyncExternalStore(crosshair.subscribe, crosshair.read);
  const plot = live.current?.plot;
  if (at?.owner !== owner || !plot) return null;
  const { over } = plot;
  const x = plot.valToPos(at.ms / 1000, 'x');
  const { top: pointerTop = 0 } = plot.cursor;
  const isRight = x < over.clientWidth / 2;
  const style = isRight
    ? { left: over.offsetLeft + x + DISTANCE_PX, maxWidth: over.clientWidth - x }
    : { right: `calc(100% - ${over.offsetLeft + x - DISTANCE_PX}px)`, maxWidth: x };
  const { values, states, active, ms } = valuesAt(at.ms);
  const near = thresholds.filter(
    ({ value, unit }) => Math.abs(plot.valToPos(value, scaleOf(unit)) - pointerTop) <= NEAR_PX,
  );
  const top = Math.max(0, Math.min(pointerTop, over.clientHeight / 3));
  return (
    <Paper
      withBorder
      shadow="md"
      radius="sm"
      className={classes.tooltip}
      style={{ ...style, top }}
      role="presentation"
      data-chart-tooltip
    >
      <div className={classes.time}>{exactTime(ms)}</div>
      {values.map((value) => (
        <LineRow key={`${value.line.variable.id} ${value.line.isCompared}`} {...value} />
      ))}
      {states.map(({ name, value, unit }) => (
        <div key={name} className={classes.row}>
          <span className={classes.name}>{name}</span>
          <b>{readingText(value, unit)}</b>
        </div>
      ))}
      {near.map(({ label, value, unit }) => (
        <div key={`${label} ${value}`} className={classes.row}>
          <span className={classes.name}>{label}</span>
          <b className="tabular">{readingText(value, unit)}</b>
        </div>
      ))}
      {active.map((label) => (
        <div key={label} className={classes.row}>
          <span className={classes.name}>
            <IconBellRinging size={12} aria-hidden /> {label}
          </span>
        </div>
      ))}
    </Paper>
  );
}

function LineRow({ line, mean, min, max }: LineValue) {
  const { name, colour, isCompared, variable } = line;
  const unit = variable.unit ? ` ${variable.unit}` : '';
  return (
    <div className={classes.row}>
      <span className={classes.name}>
        <LineMark colour={colour} isCompared={isCompared} />
        {name}
      </span>
      <span className="tabular">
        <b>
          {numberText(mean)}
          {unit}
        </b>
        {min === max ? null : (
          <span className={classes.extent}>
            {' '}
            {numberText(min)} – {numberText(max)}
          </span>
        )}
      </span>
    </div>
  );
}
