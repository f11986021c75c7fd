import { ActionIcon, Button, Grid, Stack, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { type Location, useRead, useWrite } from '../data/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm, Loaded, Loading, OnlineBadge, Page, Panel, tell } from '../ui/index.ts';
import { LocationForm } from './location-form.tsx';
import { LocationState } from './location-state.tsx';

const words = strings.locations;

const WorldMap = lazy(async () => ({ default: (await import('../maps/index.ts')).WorldMap }));

export function LocationPage() {
  const { locationId } = useParams({ strict: false }) as { locationId: string };
  const query = useRead('retrieveLocation', { locationId });
  return (
    <Loaded query={query} loading={<Loading rows={5} />}>
      {(location) => <LocationView location={location} />}
    </Loaded>
  );
}

function LocationView({ location }: { location: Location }) {
  const trail = (
    <Link to="/locations" className="linked">
      {words.title}
    </Link>
  );
  return (
    <Page
      title={location.name}
      trail={trail}
      about={
        <>
          <LocationState id={location.id} /> {location.address} {location.timeZone}
        </>
      }
      actions={<Actions location={location} />}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="md">
            <DevicesThere locationId={location.id} />
            <AssetsThere locationId={location.id} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Place location={location} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Place({ location: { id, name, latitude, longitude } }: { location: Location }) {
  const markers = useMemo(
    () =>
      latitude === null || longitude === null
        ? []
        : [{ id, label: name, latitude, longitude, tone: 'good' as const, to: `/locations/${id}` }],
    [id, name, latitude, longitude],
  );
  if (markers.length === 0) return <Text size="sm">{words.noCoordinates}</Text>;
  return (
    <Suspense fallback={<Loading rows={1} height={320} />}>
      <div style={{ height: 360 }}>
        <WorldMap markers={markers} />
      </div>
    </Suspense>
  );
}

/** The list of Devices has no filter for this, so all are looked through. */
function DevicesThere({ locationId }: { locationId: string }) {
  const query = useRead('listDevices', { query: { take: 1000 } });
  return (
    <Panel title={words.devices}>
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="xs">
            {items
              .filter((device) => device.locationId === locationId)
              .map(({ id, name, isOnline }) => (
                <div key={id}>
                  <OnlineBadge isOnline={isOnline} />{' '}
                  <Link to={`/devices/${id}`} className="linked">
                    {name}
                  </Link>
                </div>
              ))}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function AssetsThere({ locationId }: { locationId: string }) {
  const { may } = useSession();
  const isAllowed = may('ReadAssets');
  const query = useRead(
    'listAssets',
    { query: { locationIds: [locationId], take: 1000 } },
    { enabled: isAllowed },
  );
  if (!isAllowed) return null;
  return (
    <Panel title={words.assets}>
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="xs">
            {items.map(({ id, name }) => (
              <Link key={id} to={`/assets/${id}`} className="linked">
                {name}
              </Link>
            ))}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function Actions({ location }: { location: Location }) {
  const { may } = useSession();
  const navigate = useNavigate();
  const remove = useWrite('deleteLocation');
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null);
  const close = () => setAsking(null);
  if (!may('ManageLocations')) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setAsking('edit')}
      >
        {strings.ui.edit}
      </Button>
      <Tooltip label={strings.ui.remove}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={strings.ui.remove}
          onClick={() => setAsking('delete')}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <LocationForm editing={asking === 'edit' ? location : null} onClose={close} />
      <Confirm
        title={words.remove.title(location.name)}
        action={strings.ui.remove}
        isOpen={asking === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await navigate({ to: '/locations' });
          await remove.mutateAsync({ locationId: location.id });
          tell(words.remove.done);
        }}
      >
        {words.remove.text}
      </Confirm>
    </>
  );
}
