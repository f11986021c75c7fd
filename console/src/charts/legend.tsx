import { Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type uPlot from 'uplot';
import { IconBellRinging } from '../icons/index.ts';
import type { Signal } from '../runtime/index.ts';
import { exactTime, numberText } from '../ui/index.ts';
import { lineColour } from './colours.ts';
import type { NumberHistory } from './histories.ts';
import { type Period, periodsAt } from './marks.ts';
import classes from './time-chart.module.css';
import { indexAt } from './value-at.ts';

interface Props {
  readonly histories: readonly NumberHistory[];
  readonly data: uPlot.AlignedData;
  readonly periods: readonly Period[];
  /** How far from the pointer a single reading may be, since it is only a few pixels wide. */
  readonly nearMs: number;
  /** The time under the pointer, in epoch milliseconds. */
  readonly cursor: Signal<number | null>;
}

/** The name of each line; under the pointer also its values and the active alarms. */
export function Legend({ histories, data, periods, nearMs, cursor }: Props) {
  const ms = useSyncExternalStore(cursor.subscribe, cursor.read);
  const open = ms === null ? [] : periodsAt(periods, ms);
  return (
    <ul className={classes.legend}>
      {histories.map(({ variable, bucketMs }, line) => {
        const tolerance = Math.max(bucketMs, nearMs) / 1000;
        const index =
          ms === null ? null : indexAt(data[0], data[line * 3 + 1] ?? [], ms / 1000, tolerance);
        const [mean, min, max] = [1, 2, 3].map((row) => data[line * 3 + row]?.[index ?? -1]);
        const unit = variable.unit ? ` ${variable.unit}` : '';
        return (
          <li key={variable.id}>
            <span className={classes.mark} style={{ background: lineColour(line) }} />
            {variable.name}
            {typeof mean === 'number' ? (
              <Text span size="xs" fw={600} className="tabular">
                {' '}
                {numberText(mean)}
                {unit}
                {typeof min === 'number' && typeof max === 'number' && min !== max
                  ? ` (${numberText(min)} – ${numberText(max)})`
                  : null}
              </Text>
            ) : null}
          </li>
        );
      })}
      {ms === null ? null : <li>{exactTime(ms)}</li>}
      {[...new Set(open.map(({ label }) => label))].map((label) => (
        <li key={label}>
          <IconBellRinging size={12} aria-hidden /> {label}
        </li>
      ))}
    </ul>
  );
}
