import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeviceLink, LocationName } from '../references/index.ts';
import { type Device, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { CopyIcon, Details, Timestamp } from '../ui/index.ts';
import { OnlineWindow } from './online-window.tsx';

const words = strings.devices.details;
const CONFIGURATION: Readonly<Record<string, string>> = strings.devices.configuration;

export function DetailsTab({ device }: { device: Device }) {
  const { id, description, isActive, locationId, parentDeviceId, configuration } = device;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      words.id,
      <>
        {id} <CopyIcon value={id} label={strings.ui.copy(words.id)} />
      </>,
    ],
    [strings.ui.description, description === '' ? '–' : description],
    [words.active, isActive ? strings.ui.yes : words.inactive],
    [strings.ui.location, <LocationName key="location" id={locationId} />],
    [words.parent, parentDeviceId ? <DeviceLink key="parent" id={parentDeviceId} /> : '–'],
    [strings.devices.onlineWindow.title, <OnlineWindow key="online" deviceId={id} />],
    [words.children, <Children key="children" id={id} />],
    ...Object.entries(configuration ?? {}).map(
      ([key, value]) => [CONFIGURATION[key] ?? key, String(value)] as const,
    ),
    [strings.ui.created, <Timestamp key="created" at={device.createdDateTime} />],
    [strings.ui.updated, <Timestamp key="updated" at={device.updatedDateTime} />],
  ];
  return <Details label={strings.devices.tabs.details} rows={rows} />;
}

function Children({ id }: { id: string }) {
  const { data } = useRead('listDevices', { query: { parentDeviceId: id, take: 100 } });
  if (!data || data.count === 0) return <Text size="sm">{words.noChildren}</Text>;
  return (
    <Stack gap={2}>
      {data.items.map((child) => (
        <Anchor key={child.id} component={Link} to={`/devices/${child.id}`} size="sm">
          {child.name}
        </Anchor>
      ))}
    </Stack>
  );
}
