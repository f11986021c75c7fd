import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { usePresence } from '../live/index.ts';
import { type Device, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { countText, Loaded, OnlineBadge, Panel, When } from '../ui/index.ts';
import { useCounts } from './counts.ts';

const words = strings.overview;
const MOST = 1_000;
const SHOWN = 12;

function useDevices() {
  return useRead('listDevices', { query: { take: MOST } }, { refetchIntervalMs: 15_000 });
}

/** Devices that should report and do not. */
export function OfflineDevices() {
  const query = useDevices();
  const { data: counts } = useCounts();
  const offline = counts
    ? counts.deviceCount - counts.onlineDeviceCount - counts.inactiveDeviceCount
    : 0;
  return (
    <Panel title={words.offline}>
      <Loaded query={query}>
        {({ items }) => {
          const missing = items.filter(({ isOnline, isActive }) => isActive && !isOnline);
          if (missing.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                {items.length === 0 ? words.noDevices : words.allOnline}
              </Text>
            );
          }
          return (
            <Stack gap="xs">
              {missing.slice(0, SHOWN).map((device) => (
                <Missing key={device.id} device={device} />
              ))}
              {offline > SHOWN ? (
                <Link to="/devices" className="linked">
                  {words.more(countText(offline - SHOWN))}
                </Link>
              ) : null}
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Missing({ device }: { device: Device }) {
  const { isOnline, lastSeenDateTime } = usePresence(device);
  return (
    <Group justify="space-between" gap="xs">
      <Link to={`/devices/${device.id}`} className="linked">
        {device.name}
      </Link>
      <Text component="div" size="xs" c="dimmed">
        <OnlineBadge isOnline={isOnline} /> <When at={lastSeenDateTime} form="relative" />
      </Text>
    </Group>
  );
}
