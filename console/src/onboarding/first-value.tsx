import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { suggestionOf } from '../devices/index.ts';
import { useLiveValue } from '../live/index.ts';
import { type Device, useRead, type Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Panel } from '../ui/index.ts';
import { LiveReading, VariableCreation, type VariableValues } from '../variables/index.ts';

const words = strings.onboarding;
const MAX_PATHS = 6;
const MIN_PATH = 5;

interface Props {
  readonly device: Device;
  readonly variable: Variable | null;
}

/** A long path takes several lines on a phone. */
const WRAPPED = {
  maw: '100%',
  h: 'auto',
  mih: 36,
  styles: { label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } },
} as const;

/** Received paths with a button that creates a Variable; then the live value. */
export function FirstValue({ device, variable }: Props) {
  const { data } = useRead(
    'listUnmatchedPaths',
    { deviceId: device.id, query: { take: MAX_PATHS } },
    { refetchIntervalMs: 3_000 },
  );
  const [initial, setInitial] = useState<Partial<VariableValues> | null>(null);
  const paths = data?.items.filter(({ path }) => path.length >= MIN_PATH) ?? [];
  if (variable) return <Value variable={variable} />;
  if (paths.length === 0) return null;
  return (
    <Panel title={words.steps.value}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{words.valueAbout}</Text>
        {paths.map((item) => (
          <Button
            key={item.path}
            variant="light"
            {...WRAPPED}
            onClick={() => setInitial(suggestionOf(item))}
          >
            {words.create(item.path)}
          </Button>
        ))}
      </Stack>
      <VariableCreation deviceId={device.id} initial={initial} onClose={() => setInitial(null)} />
    </Panel>
  );
}

function Value({ variable }: { variable: Variable }) {
  const value = useLiveValue(variable.id);
  return (
    <Panel title={variable.name}>
      <Group gap="sm" align="baseline">
        <Text component="div" fz={32}>
          <LiveReading variable={variable} />
        </Text>
        <Text size="sm" c="dimmed" role="status">
          {value ? words.valueDone : words.valueWaiting}
        </Text>
      </Group>
    </Panel>
  );
}
