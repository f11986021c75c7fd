import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { Group, SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconMapPin } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import {
  compact,
  type Location,
  oneIn,
  positionIn,
  type Raw,
  textIn,
  useFilters,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  type Column,
  createdColumn,
  Empty,
  Filters,
  ListCsv,
  ListTable,
  Loaded,
  Page,
  RecordTable,
  SavedViews,
  SearchField,
  useList,
} from '../ui/index.ts';
import { useLocationBulkActions } from './location-bulk.tsx';
import { LocationForm } from './location-form.tsx';
import { LocationMap } from './location-map.tsx';
import { inTreeOrder } from './location-severity.ts';
import { LocationState, useWorstByLocation } from './location-state.tsx';

const words = strings.locations;
const VIEWS = ['list', 'tree', 'map'] as const;
const INDENT_PX = 22;

const parse = (raw: Raw) =>
  compact({ ...positionIn(raw), search: textIn(raw.search), view: oneIn(raw.view, VIEWS) });

type Row = Location & { readonly depth?: number };

const columnsOf = (worst: ReadonlyMap<string, Severity>): readonly Column<Row>[] => [
  {
    head: strings.ui.name,
    cell: ({ id, name, depth = 0 }) => (
      <Group pl={depth * INDENT_PX}>
        <Link to={`/locations/${id}`} className="linked">
          {name}
        </Link>
      </Group>
    ),
    sortKey: 'NAME',
    value: ({ name }) => name,
  },
  {
    head: words.state,
    cell: ({ id }) => <LocationState id={id} />,
    sortKey: 'STATE',
    firstDirection: 'descending',
    value: ({ id }) => {
      const severity = worst.get(id);
      return severity ? strings.severities[severity] : words.noActiveAlarms;
    },
    rank: ({ id }) => {
      const severity = worst.get(id);
      return severity ? SEVERITIES.indexOf(severity) : -1;
    },
  },
  {
    head: words.address,
    cell: ({ address }) => address ?? '–',
    sortKey: 'ADDRESS',
    value: ({ address }) => address,
  },
  {
    head: words.coordinates,
    cell: (location) => coordinatesOf(location) ?? '–',
    value: coordinatesOf,
    isMinor: true,
  },
  createdColumn,
];

const coordinatesOf = ({ latitude, longitude }: Location) =>
  latitude === null ? null : `${latitude}, ${longitude}`;

const hrefOf = ({ id }: Location) => `/locations/${id}`;

function useBulk() {
  const actions = useLocationBulkActions();
  return { actions, nameOf: ({ name }: Location) => name, many: words.title };
}

export function LocationsPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const { search, view = 'list' } = filters;
  const [isCreating, setIsCreating] = useState(false);
  const list = useList({
    name: 'locations',
    operation: 'listLocations',
    inputOf: (paging) => ({ query: { ...paging, ...(search ? { search } : {}) } }),
    columns: columnsOf(useWorstByLocation()),
    position: filters,
    onChange: setFilters,
  });
  const bulk = useBulk();
  const add = may('ManageLocations') ? (
    <AddButton label={words.add} onClick={() => setIsCreating(true)} />
  ) : null;
  return (
    <Page
      title={words.title}
      actions={
        <>
          {view === 'list' ? <ListCsv list={list} /> : null}
          {add}
        </>
      }
    >
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
        <SavedViews page="locations" />
      </Filters>
      {view === 'list' ? (
        <ListTable
          list={list}
          label={words.title}
          isFiltered={Boolean(search)}
          empty={<NoLocations add={add} />}
          hrefOf={hrefOf}
          bulk={bulk}
        />
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
  const columns = columnsOf(useWorstByLocation());
  const bulk = useBulk();
  return (
    <Loaded query={query}>
      {({ items }) => {
        if (items.length === 0) return <NoLocations add={add} />;
        if (view === 'map') return <LocationMap locations={items} height="min(70dvh, 620px)" />;
        const rows = inTreeOrder(items).map(({ location, depth }) => ({ ...location, depth }));
        return (
          <RecordTable
            label={words.title}
            columns={columns}
            records={rows}
            columnsKey="locations"
            hrefOf={hrefOf}
            bulk={{ ...bulk, scope: '' }}
          />
        );
      }}
    </Loaded>
  );
}
