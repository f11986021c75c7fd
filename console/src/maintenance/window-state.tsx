import type { MaintenanceWindow } from '@fieldwatch/contract';
import { Text } from '@mantine/core';
import { IconFlask, IconTool } from '../icons/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings, maintenance as words } from '../strings/index.ts';
import { StateBadge, type Tone } from '../ui/index.ts';
import { momentText, periodText, recurrenceText } from './times.ts';

const TONES: Readonly<Record<MaintenanceWindow['state'], Tone>> = {
  ACTIVE: 'shelved',
  SCHEDULED: 'info',
  ENDED: 'plain',
};

export function WindowState({ state }: Pick<MaintenanceWindow, 'state'>) {
  return <StateBadge tone={TONES[state]}>{words.states[state]}</StateBadge>;
}

export function WindowMode({ mode }: Pick<MaintenanceWindow, 'mode'>) {
  const icon = mode === 'TEST' ? <IconFlask aria-hidden /> : <IconTool aria-hidden />;
  return (
    <StateBadge tone="plain" icon={icon}>
      {words.modes[mode]}
    </StateBadge>
  );
}

/** When a window lasts, or how it recurs and when next. */
export function WindowTimes({ window }: { window: MaintenanceWindow }) {
  const { from, to, recurrence, current, state } = window;
  const now = useNow();
  if (recurrence === null) {
    return <>{from && to ? periodText({ from, to }, now) : null}</>;
  }
  return (
    <>
      {recurrenceText(recurrence)}
      {current ? (
        <Text size="xs" c="dimmed">
          {state === 'ACTIVE'
            ? periodText(current, now)
            : words.nextAt(momentText(Date.parse(current.from), now))}
        </Text>
      ) : null}
    </>
  );
}

export function severitiesText({ severities }: Pick<MaintenanceWindow, 'severities'>): string {
  if (severities.length === 0) return words.allSeverities;
  return severities.map((each) => strings.severities[each]).join(', ');
}
