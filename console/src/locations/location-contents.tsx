import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePresence } from '../live/index.ts';
import { useLocations } from '../references/index.ts';
import { type Device, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { byName, Loaded, OnlineBadge, Panel } from '../ui/index.ts';
import { LocationState } from './location-state.tsx';

const words = strings.locations;
const MAX_RECORDS = 1_000;

/** The Devices at a Location itself; the server also finds those at Locations below it. */
export function useDevicesAt(locationId: string) {
  const query = useRead('searchDevices', {
    body: { locationIds: [locationId], take: MAX_RECORDS },
  });
  const devices = query.data?.items.filter((device) => device.locationId === locationId);
  return { query, devices };
}

export function useAssetsAt(locationId: string) {
  const { may } = useSession();
  return useRead(
    'listAssets',
    { query: { locationIds: [locationId], take: MAX_RECORDS } },
    { enabled: may('ReadAssets') },
  );
}

function RowStack({ rows, none }: { rows: readonly ReactNode[]; none: string }) {
  return (
    <Stack gap="xs">
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        rows
      )}
    </Stack>
  );
}

export function LocationDevices({ locationId }: { locationId: string }) {
  const { query, devices = [] } = useDevicesAt(locationId);
  return (
    <Panel title={words.devices}>
      <Loaded query={query}>
        {() => (
          <RowStack
            none={words.noDevices}
            rows={devices.map((device) => <DeviceRow key={device.id} device={device} />)}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function DeviceRow({ device }: { device: Device }) {
  const { id, name, isOnline } = usePresence(device);
  return (
    <div>
      <OnlineBadge isOnline={isOnline} />{' '}
      <Link to={`/devices/${id}`} className="linked">
        {name}
      </Link>
    </div>
  );
}

export function LocationAssets({ locationId }: { locationId: string }) {
  const { may } = useSession();
  const query = useAssetsAt(locationId);
  if (!may('ReadAssets')) return null;
  return (
    <Panel title={words.assets}>
      <Loaded query={query}>
        {({ items }) => (
          <RowStack
            none={words.noAssets}
            rows={items.toSorted(byName).map(({ id, name }) => (
              <Link key={id} to={`/assets/${id}`} className="linked">
                {name}
              </Link>
            ))}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** The child Locations, if any. */
export function ChildLocations({ locationId }: { locationId: string }) {
  const { data } = useLocations();
  const children = (data?.items ?? [])
    .filter(({ parentId }) => parentId === locationId)
    .toSorted(byName);
  if (children.length === 0) return null;
  return (
    <Panel title={words.children}>
      <Stack gap="xs">
        {children.map(({ id, name }) => (
          <div key={id}>
            <LocationState id={id} />{' '}
            <Link to={`/locations/${id}`} className="linked">
              {name}
            </Link>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
