import { Box, Grid } from '@mantine/core';
import {
  ActiveAlarms,
  ClearedAlarms,
  useActiveEvents,
  WatchingAlarms,
} from '../alarm-events/index.ts';
import { type Device, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Loaded } from '../ui/index.ts';

const words = strings.devices.alarms;

/** As many as a search for alarms takes. */
const MAX_VARIABLES = 200;

/** The active alarms of the Device, above all tabs. */
export function DeviceAlarms({ deviceId }: { deviceId: string }) {
  const { events } = useActiveEvents();
  const own = events?.filter((event) => event.deviceId === deviceId) ?? [];
  if (own.length === 0) return null;
  return (
    <Box mb="md">
      <ActiveAlarms events={own} />
    </Box>
  );
}

/** The Alarms that watch the Variables of the Device, and their recent events. */
export function AlarmsTab({ device }: { device: Device }) {
  const query = useRead('listDeviceVariables', {
    deviceId: device.id,
    query: { take: MAX_VARIABLES },
  });
  return (
    <Loaded query={query}>
      {({ items }) => {
        const deviceVariableIds = items.map(({ id }) => id);
        if (deviceVariableIds.length === 0) return words.noVariables;
        return (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 7 }}>
              <ClearedAlarms search={{ deviceVariableIds }} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <WatchingAlarms
                search={{ deviceVariableIds }}
                title={words.title}
                none={words.none}
              />
            </Grid.Col>
          </Grid>
        );
      }}
    </Loaded>
  );
}
