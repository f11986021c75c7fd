import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { usePresence } from '../live/index.ts';
import type { Reply } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { countText, Loaded, OnlineBadge, Panel, Timestamp } from '../ui/index.ts';
import { useCounts } from './counts.ts';

const words = strings.overview;

/** Active Devices that are offline; the server lists a few of them and counts all. */
export function OfflineDevices() {
  const query = useCounts();
  return (
    <Panel title={words.offline}>
      <Loaded query={query}>
        {({ deviceCount, onlineDeviceCount, inactiveDeviceCount, offlineDevices }) => {
          if (offlineDevices.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                {deviceCount === 0 ? words.noDevices : words.allOnline}
              </Text>
            );
          }
          const unnamed =
            deviceCount - onlineDeviceCount - inactiveDeviceCount - offlineDevices.length;
          return (
            <Stack gap="xs">
              {offlineDevices.map((device) => (
                <OfflineDevice key={device.id} device={device} />
              ))}
              {unnamed > 0 ? (
                <Link to="/devices" className="linked">
                  {words.more(countText(unnamed))}
                </Link>
              ) : null}
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}

type Offline = Reply<'retrieveOverview'>['offlineDevices'][number];

function OfflineDevice({ device }: { device: Offline }) {
  const { isOnline, lastSeenDateTime } = usePresence({ ...device, isOnline: false });
  // The stream reports a Device before the counts are read again.
  if (isOnline) return null;
  return (
    <Group justify="space-between" gap="xs">
      <Link to={`/devices/${device.id}`} className="linked">
        {device.name}
      </Link>
      <Text component="div" size="xs" c="dimmed">
        <OnlineBadge isOnline={isOnline} /> <Timestamp at={lastSeenDateTime} form="relative" />
      </Text>
    </Group>
  );
}
