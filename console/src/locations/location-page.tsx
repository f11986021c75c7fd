import { Grid, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useActiveEvents } from '../alarm-events/index.ts';
import { MaintenanceBanner, MaintenanceButton, useActiveWindows } from '../maintenance/index.ts';
import { useLocations } from '../references/index.ts';
import { type Location, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Page, RecordPage } from '../ui/index.ts';
import { LocationActions } from './location-actions.tsx';
import {
  ChildLocations,
  LocationAssets,
  LocationDevices,
  useAssetsAt,
  useDevicesAt,
} from './location-contents.tsx';
import { LocationMap } from './location-map.tsx';
import { ClearedAtLocation, LocationAlarms, LocationState } from './location-state.tsx';

export function LocationPage() {
  const { locationId } = useParams({ strict: false }) as { locationId: string };
  const query = useRead('retrieveLocation', { locationId });
  const beside = [
    useActiveEvents().query,
    useActiveWindows({ locationId }),
    useLocations(),
    useDevicesAt(locationId).query,
    useAssetsAt(locationId),
  ];
  return (
    <RecordPage
      query={query}
      list={{ title: strings.locations.title, path: '/locations' }}
      beside={beside}
    >
      {(location) => <LocationView location={location} />}
    </RecordPage>
  );
}

function LocationView({ location }: { location: Location }) {
  const shown = useMemo(() => [location], [location]);
  return (
    <Page
      title={location.name}
      trail={<Trail location={location} />}
      about={
        <Group gap="xs">
          <LocationState id={location.id} />
          {[location.address, location.timeZone].filter(Boolean).join(' · ')}
        </Group>
      }
      actions={
        <>
          <MaintenanceButton
            entry={{ field: 'locationIds', id: location.id }}
            name={location.name}
          />
          <LocationActions location={location} />
        </>
      }
      record={{ resource: 'Location', id: location.id }}
    >
      <MaintenanceBanner covered={{ locationId: location.id }} />
      {location.description ? (
        <Text size="sm" mb="md">
          {location.description}
        </Text>
      ) : null}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="md">
            <LocationAlarms id={location.id} />
            <ChildLocations locationId={location.id} />
            <LocationDevices locationId={location.id} />
            <LocationAssets locationId={location.id} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="md">
            <LocationMap locations={shown} height={360} />
            <ClearedAtLocation id={location.id} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Trail({ location: { parentId } }: { location: Location }) {
  const { data } = useLocations();
  const parent = data?.items.find(({ id }) => id === parentId);
  return (
    <>
      <Link to="/locations" className="linked">
        {strings.locations.title}
      </Link>
      {parent ? (
        <>
          {' / '}
          <Link to={`/locations/${parent.id}`} className="linked">
            {parent.name}
          </Link>
        </>
      ) : null}
    </>
  );
}
