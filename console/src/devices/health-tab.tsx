import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { type Device, type DeviceIngest, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, countText, Loaded, Timestamp } from '../ui/index.ts';
import { LatestPanel } from './latest-panel.tsx';

const words = strings.devices.health;
const REASONS = ['unknownPath', 'wrongType', 'badTime', 'inactive', 'codec'] as const;

type Rejected = DeviceIngest['lastRejected'][number];

const columns: readonly Column<Rejected>[] = [
  { head: words.key, cell: ({ key }) => key },
  { head: words.reason, cell: ({ reason }) => words[reason] },
  { head: words.time, cell: ({ dateTime }) => <Timestamp at={dateTime} /> },
];

/** Counts of accepted and rejected readings of the Device. */
export function HealthTab({ device }: { device: Device }) {
  const query = useRead(
    'retrieveDeviceIngest',
    { deviceId: device.id },
    { refetchIntervalMs: 5_000 },
  );
  return (
    <Loaded query={query}>
      {({ accepted, rejected, lastRejected }) => (
        <Stack gap="md">
          <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="xs">
            <Figure label={words.accepted} value={accepted} />
            {REASONS.map((reason) => (
              <Figure key={reason} label={words[reason]} value={rejected[reason]} />
            ))}
          </SimpleGrid>
          <LatestPanel
            title={words.last}
            none={words.none}
            columns={columns}
            entries={lastRejected}
          />
        </Stack>
      )}
    </Loaded>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <Paper withBorder p="sm" radius="md">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap={4}>
        <Text fw={650} size="lg" className="tabular">
          {countText(value)}
        </Text>
      </Group>
    </Paper>
  );
}
