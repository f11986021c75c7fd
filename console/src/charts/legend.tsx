import { Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type uPlot from 'uplot';
import { IconBellRinging } from '../icons/index.ts';
import type { Signal } from '../runtime/index.ts';
import { exactTime, numberText } from '../ui/index.ts';
import { lineColour } from './colours.ts';
import type { NumberHistory } from './history.ts';
import { type Period, periodsAt } from './marks.ts';
import classes from './time-chart.module.css';

interface Props {
  readonly histories: readonly NumberHistory[];
  readonly data: uPlot.AlignedData;
  readonly periods: readonly Period[];
  /** The data index under the pointer. */
  readonly cursor: Signal<number | null>;
}

/** The name of each line; under the pointer also its values and the active alarms. */
export function Legend({ histories, data, periods, cursor }: Props) {
  const index = useSyncExternalStore(cursor.subscribe, cursor.read);
  const seconds = index === null ? undefined : data[0][index];
  const open = seconds === undefined ? [] : periodsAt(periods, seconds * 1000);
  return (
    <ul className={classes.legend}>
      {histories.map(({ variable }, line) => {
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
      {seconds === undefined ? null : <li>{exactTime(seconds * 1000)}</li>}
      {[...new Set(open.map(({ label }) => label))].map((label) => (
        <li key={label}>
          <IconBellRinging size={12} aria-hidden /> {label}
        </li>
      ))}
    </ul>
  );
}
