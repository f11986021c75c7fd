import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { exactTime, readingText } from '../ui/index.ts';
import { crosshair } from './crosshair.ts';
import type { ValuesAt } from './values-at.ts';

interface Props {
  readonly owner: object;
  readonly valuesAt: (ms: number) => ValuesAt;
}

/** The values at a crosshair that keys have moved, for screen readers. */
export function SpokenValues({ owner, valuesAt }: Props) {
  const ms = useSyncExternalStore(crosshair.subscribe, () => {
    const at = crosshair.read();
    return at?.owner === owner && at.isByKeyboard ? at.ms : null;
  });
  return (
    <VisuallyHidden aria-live="polite">{ms === null ? '' : textOf(valuesAt(ms))}</VisuallyHidden>
  );
}

function textOf({ ms, values, states, active }: ValuesAt): string {
  const lines = values.map(
    ({ line, mean }) => `${line.name} ${readingText(mean, line.variable.unit)}`,
  );
  const others = states.map(({ name, value, unit }) => `${name} ${readingText(value, unit)}`);
  return [exactTime(ms), ...lines, ...others, ...active].join(', ');
}
