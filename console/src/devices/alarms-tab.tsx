import { Box, Button, Grid } from '@mantine/core';
import { useState } from 'react';
import {
  ActiveAlarms,
  ClearedAlarms,
  useActiveEvents,
  WatchingAlarms,
} from '../alarm-events/index.ts';
import { type Device, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { countText, Loaded } from '../ui/index.ts';

const words = strings.devices.alarms;

/** As many as a search for alarms takes. */
const MAX_VARIABLES = 200;

/** More would move the values of the Device off the screen. */
const MAX_SHOWN = 5;

/** The active alarms of the Device, above all tabs. */
export function DeviceAlarms({ deviceId }: { deviceId: string }) {
  const { events } = useActiveEvents();
  const [isWhole, setIsWhole] = useState(false);
  const own = events?.filter((event) => event.deviceId === deviceId) ?? [];
  if (own.length === 0) return null;
  return (
    <Box mb="md">
      <ActiveAlarms events={isWhole ? own : own.slice(0, MAX_SHOWN)} />
      {own.length > MAX_SHOWN ? (
        <Button
          size="compact-sm"
          variant="subtle"
          mt={4}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? words.fewer : words.more(countText(own.length - MAX_SHOWN))}
        </Button>
      ) : null}
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
