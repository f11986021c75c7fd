import { Text } from '@mantine/core';
import { useLiveValue } from '../live/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { readingText, Timestamp } from '../ui/index.ts';

interface Props {
  readonly variable: Pick<Variable, 'id' | 'unit'>;
  readonly decimals?: number;
}

/** The newest value with its unit, updated live. */
export function LiveReading({ variable, decimals }: Props) {
  const live = useLiveValue(variable.id);
  if (!live) {
    return (
      <Text span size="sm" c="dimmed">
        {strings.ui.noValue}
      </Text>
    );
  }
  return (
    <Text span className="tabular whole-words" fw={600} size="sm">
      {readingText(live.value, variable.unit, decimals)}
    </Text>
  );
}

export function LiveReadingTime({ variableId }: { variableId: string }) {
  const live = useLiveValue(variableId);
  return live ? <Timestamp at={live.timestamp} /> : <>–</>;
}
