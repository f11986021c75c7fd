import { Kbd, Text, UnstyledButton } from '@mantine/core';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { timeZone, timeZoneAt } from '../ui/index.ts';

/** The time zone of the displayed times, and a link to the keyboard shortcuts. */
export function ZoneNote({ onHelp }: { onHelp: () => void }) {
  const now = useNow();
  return (
    <>
      <Text size="xs" c="dimmed">
        {strings.app.zone(`${timeZone} (${timeZoneAt(now)})`)}
      </Text>
      <UnstyledButton onClick={onHelp} mt={6} visibleFrom="sm">
        <Text size="xs" c="dimmed" span>
          <Kbd size="xs">?</Kbd> {strings.app.shortcuts}
        </Text>
      </UnstyledButton>
    </>
  );
}
