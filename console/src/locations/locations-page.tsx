import { Button, SegmentedControl, Text } from '@mantine/core';
import { IconMapPin, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useOpenEvents } from '../alarm-events/index.ts';
import {
  compact,
  type Location,
  oneIn,
  pageIn,
  type Raw,
  textIn,
  useFilters,
  useRead,
} from '../data/index.ts';
import { useLocations } from '../references/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Empty,
  Filters,
  Loaded,
  Loading,
  Page,
  Pages,
  pageOf,
  RecordTable,
  SearchField,
} from '../ui/index.ts';
import { LocationForm } from './location-form.tsx';
import { LocationState } from './location-state.tsx';

const words = strings.locations;
const VIEWS = ['list', 'map'] as const;

const WorldMap = lazy(async () => ({ default: (await import('../maps/index.ts')).WorldMap }));

const parse = (raw: Raw) =>
  compact({ search: textIn(raw.search), view: oneIn(raw.view, VIEWS), page: pageIn(raw.page) });

const columns: readonly Column<Location>[] = [
  {
    head: strings.ui.name,
    cell: ({ id, name }) => (
      <Link to={`/locations/${id}`} className="linked">
        {name}
      </Link>
    ),
  },
  { head: words.state, cell: ({ id }) => <LocationState id={id} /> },
  { head: words.address, cell: ({ address }) => address ?? '–' },
  {
    head: words.coordinates,
    cell: ({ latitude, longitude }) => (latitude === null ? '–' : `${latitude}, ${longitude}`),
    isMinor: true,
  },
];

export function LocationsPage() {
  const { may } = useSession();
  const [{ search, view = 'list', page = 1 }, setFilters] = useFilters(parse);
  const [isCreating, setIsCreating] = useState(false);
  const query = useRead(
    'listLocations',
    { query: { ...pageOf(page), ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const add = may('ManageLocations') ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      {words.add}
    </Button>
  ) : null;
  return (
    <Page title={words.title} actions={add}>
      <Filters>
        <SegmentedControl
          size="xs"
          aria-label={words.tabs.label}
          value={view}
          onChange={(next) => setFilters({ view: oneIn(next, VIEWS) })}
          data={VIEWS.map((value) => ({ value, label: words.tabs[value] }))}
        />
        {view === 'list' ? (
          <SearchField
            label={words.search}
            value={search ?? ''}
            onChange={(next) => setFilters({ search: next })}
          />
        ) : null}
      </Filters>
      {view === 'map' ? (
        <LocationMap />
      ) : (
        <Loaded query={query}>
          {({ count, items }) =>
            count === 0 ? (
              <Empty
                title={search ? strings.ui.noMatch : words.empty}
                icon={<IconMapPin />}
                action={search ? null : add}
              >
                {search ? strings.ui.noMatchHint : words.emptyHint}
              </Empty>
            ) : (
              <>
                <RecordTable label={words.title} columns={columns} records={items} />
                <Pages count={count} page={page} onChange={(next) => setFilters({ page: next })} />
              </>
            )
          }
        </Loaded>
      )}
      <LocationForm editing={isCreating ? 'new' : null} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

function LocationMap() {
  const { data } = useLocations();
  const { events } = useOpenEvents();
  const markers = useMemo(() => {
    const troubled = new Set(events?.map(({ locationId }) => locationId));
    return (data?.items ?? []).flatMap(({ id, name, latitude, longitude }) =>
      latitude === null || longitude === null
        ? []
        : [
            {
              id,
              label: name,
              latitude,
              longitude,
              tone: troubled.has(id) ? ('bad' as const) : ('good' as const),
              to: `/locations/${id}`,
            },
          ],
    );
  }, [data, events]);
  if (data && markers.length === 0) return <Text size="sm">{words.noCoordinates}</Text>;
  return (
    <Suspense fallback={<Loading rows={1} height={400} />}>
      <div style={{ height: 'min(70dvh, 620px)' }}>
        <WorldMap markers={markers} />
      </div>
    </Suspense>
  );
}
