import { Text } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import type uPlot from 'uplot';
import { exactTime, numberText } from '../ui/index.ts';
import { lineColour } from './colours.ts';
import type { NumberHistory } from './history.ts';
import { type Period, periodsAt } from './marks.ts';
import classes from './time-chart.module.css';

interface Given {
  readonly histories: readonly NumberHistory[];
  readonly data: uPlot.AlignedData;
  readonly periods: readonly Period[];
  /** The moment under the pointer. */
  readonly cursor: number | null;
}

/** The name of each line, and where the pointer is its values and what was open. */
export function Legend({ histories, data, periods, cursor }: Given) {
  const seconds = cursor === null ? undefined : data[0][cursor];
  const open = seconds === undefined ? [] : periodsAt(periods, seconds * 1000);
  return (
    <ul className={classes.legend}>
      {histories.map(({ variable }, index) => {
        const [mean, min, max] = [1, 2, 3].map((row) => data[index * 3 + row]?.[cursor ?? -1]);
        const unit = variable.unit ? ` ${variable.unit}` : '';
        return (
          <li key={variable.id}>
            <span className={classes.mark} style={{ background: lineColour(index) }} />
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
