import { Group, SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconMapPin } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import {
  compact,
  type Location,
  oneIn,
  pageIn,
  type Raw,
  textIn,
  useFilters,
  useRead,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  type Column,
  Empty,
  Filters,
  Listing,
  Loaded,
  Page,
  pageOf,
  RecordTable,
  SearchField,
} from '../ui/index.ts';
import { LocationForm } from './location-form.tsx';
import { LocationMap } from './location-map.tsx';
import { inTreeOrder } from './location-severity.ts';
import { LocationState } from './location-state.tsx';

const words = strings.locations;
const VIEWS = ['list', 'tree', 'map'] as const;
const INDENT_PX = 22;

const parse = (raw: Raw) =>
  compact({ search: textIn(raw.search), view: oneIn(raw.view, VIEWS), page: pageIn(raw.page) });

type Row = Location & { readonly depth?: number };

const columns: readonly Column<Row>[] = [
  {
    head: strings.ui.name,
    cell: ({ id, name, depth = 0 }) => (
      <Group pl={depth * INDENT_PX}>
        <Link to={`/locations/${id}`} className="linked">
          {name}
        </Link>
      </Group>
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
    <AddButton label={words.add} onClick={() => setIsCreating(true)} />
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
      {view === 'list' ? (
        <Listing
          query={query}
          page={page}
          onPage={(next) => setFilters({ page: next })}
          isFiltered={Boolean(search)}
          empty={<NoLocations add={add} />}
        >
          {(items) => (
            <RecordTable
              label={words.title}
              columns={columns}
              records={items}
              columnsKey="locations"
              hrefOf={({ id }) => `/locations/${id}`}
            />
          )}
        </Listing>
      ) : (
        <AllLocations view={view} add={add} />
      )}
      <LocationForm editing={isCreating ? 'new' : null} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

function NoLocations({ add }: { add: ReactNode }) {
  return (
    <Empty title={words.empty} icon={<IconMapPin />} action={add}>
      {words.emptyHint}
    </Empty>
  );
}

function AllLocations({ view, add }: { view: 'tree' | 'map'; add: ReactNode }) {
  const query = useLocations();
  return (
    <Loaded query={query}>
      {({ items }) => {
        if (items.length === 0) return <NoLocations add={add} />;
        if (view === 'map') return <LocationMap locations={items} height="min(70dvh, 620px)" />;
        const rows = inTreeOrder(items).map(({ location, depth }) => ({ ...location, depth }));
        return <RecordTable label={words.title} columns={columns} records={rows} />;
      }}
    </Loaded>
  );
}
