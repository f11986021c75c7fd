import { Text } from '@mantine/core';
import { useLiveValue } from '../live/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { readingText, When } from '../ui/index.ts';

interface Given {
  readonly variable: Pick<Variable, 'id' | 'unit'>;
  readonly decimals?: number;
}

/** The newest value with its unit; changes as readings come in. */
export function LiveReading({ variable, decimals }: Given) {
  const live = useLiveValue(variable.id);
  if (!live) {
    return (
      <Text span size="sm" c="dimmed">
        {strings.ui.noValue}
      </Text>
    );
  }
  return (
    <Text span className="tabular" fw={600} size="sm">
      {readingText(live.value, variable.unit, decimals)}
    </Text>
  );
}

export function LiveReadingTime({ variableId }: { variableId: string }) {
  const live = useLiveValue(variableId);
  return live ? <When at={live.timestamp} /> : null;
}
