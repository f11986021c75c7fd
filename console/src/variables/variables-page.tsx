import { VARIABLE_SORTS, type VariableSort } from '@fieldwatch/contract';
import { Box, Button, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ChartChoice, parseChart } from '../charts/index.ts';
import { IconChartLine, IconX } from '../icons/index.ts';
import { useLatest } from '../live/index.ts';
import { DeviceSelect, variableLabel } from '../references/index.ts';
import {
  compact,
  type FoundVariable,
  type Input,
  idsIn,
  pageIn,
  type Raw,
  sortIn,
  sortQuery,
  textIn,
  useCall,
  useFilters,
  useRead,
} from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  CsvButton,
  type CsvColumn,
  createdColumn,
  Empty,
  Filters,
  Listing,
  Page,
  pageOf,
  RecordTable,
  SavedViews,
  SearchField,
} from '../ui/index.ts';
import { ChartPanel, MAX_LINES, toggled, useSelectedVariables } from '../variable-charts/index.ts';
import { chartColumn } from './chart-column.tsx';
import { LiveReading, LiveReadingTime } from './reading.tsx';
import { useFolders, useVariableBulkActions } from './variable-bulk.tsx';

const words = strings.variables;

interface VariableFilters extends ChartChoice {
  readonly search?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly folderId?: string | undefined;
  readonly sort?: VariableSort | `-${VariableSort}` | undefined;
  readonly page?: number | undefined;
  /** The ids of the charted Variables. */
  readonly ids?: readonly string[] | undefined;
}

/** The filters of the list; the chart reads its own, so that a zoom does not render the list. */
function parse(raw: Raw): VariableFilters {
  return compact({
    search: textIn(raw.search),
    deviceId: textIn(raw.deviceId),
    folderId: textIn(raw.folderId),
    sort: sortIn(raw.sort, VARIABLE_SORTS),
    page: pageIn(raw.page),
    ids: idsIn(raw.ids).slice(0, MAX_LINES),
  });
}

/** Searches Variables and charts several on one time axis. The selection is in the URL. */
export function VariablesPage() {
  const [filters, setFilters] = useFilters(parse);
  const { search, deviceId, folderId, page = 1, ids = [] } = filters;
  const body = {
    ...(search ? { search } : {}),
    ...(deviceId ? { deviceIds: [deviceId] } : {}),
    ...(folderId ? { folderIds: [folderId] } : {}),
    ...sortQuery(filters.sort ?? 'RELEVANCE'),
  };
  const query = useRead(
    'searchVariables',
    { body: { ...body, ...pageOf(page) } },
    { keepsPrevious: true },
  );
  useLatest(query.data?.items.map(({ id }) => id) ?? []);
  const toggle = (id: string) =>
    setFilters({
      page,
      ids: toggled(ids, id),
    });
  const bulkActions = useVariableBulkActions();
  const isFiltered = Boolean(search || deviceId || folderId);
  return (
    <Page title={words.title} actions={<VariableCsv body={body} />}>
      {ids.length > 0 ? (
        <Box mb="sm">
          <Comparison page={filters.page} ids={ids} onChange={setFilters} />
        </Box>
      ) : null}
      <FilterBar filters={filters} onChange={setFilters} />
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={isFiltered}
        empty={
          <Empty title={words.empty} icon={<IconChartLine />}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => (
          <RecordTable
            label={words.title}
            columns={columnsOf(ids, toggle)}
            records={items}
            columnsKey="variables"
            hrefOf={({ id }) => `/variables/${id}`}
            bulk={{
              scope: JSON.stringify({ search, deviceId, folderId }),
              actions: bulkActions,
              // The same name is common on many Devices.
              nameOf: ({ name, deviceName }) => variableLabel(deviceName, name),
              many: words.title,
            }}
            sort={{
              value: filters.sort ?? 'RELEVANCE',
              onChange: (next) => setFilters({ sort: sortIn(next, VARIABLE_SORTS) }),
            }}
          />
        )}
      </Listing>
    </Page>
  );
}

/** Those of usual values and of times of today: columns that grow later would wrap the others. */
const WIDTHS = { value: '8em', time: '11.5em' };

function columnsOf(
  ids: readonly string[],
  toggle: (id: string) => void,
): readonly Column<FoundVariable>[] {
  return [
    chartColumn(ids, toggle),
    {
      head: words.value,
      cell: (variable) => (
        <Box miw={WIDTHS.value}>
          <LiveReading variable={variable} />
        </Box>
      ),
    },
    {
      head: words.time,
      cell: ({ id }) => (
        <Box miw={WIDTHS.time}>
          <LiveReadingTime variableId={id} />
        </Box>
      ),
      isMinor: true,
    },
    {
      head: words.device,
      cell: ({ deviceId, deviceName }) => (
        <Link to={`/devices/${deviceId}`} className="linked">
          {deviceName}
        </Link>
      ),
      sortKey: 'DEVICE',
    },
    {
      head: words.location,
      // The name is part of the record: one that comes later would wrap, and move the rows below.
      cell: ({ locationId, locationName }) =>
        locationId === null ? (
          '–'
        ) : (
          <Link to={`/locations/${locationId}`} className="linked">
            {locationName}
          </Link>
        ),
      isMinor: true,
    },
    { head: words.type, cell: ({ type }) => words.types[type], isMinor: true },
    createdColumn,
  ];
}

const CSV: readonly CsvColumn<FoundVariable>[] = [
  { head: words.one, value: ({ name }) => name },
  { head: words.device, value: ({ deviceName }) => deviceName },
  { head: words.location, value: ({ locationName }) => locationName },
  { head: words.type, value: ({ type }) => words.types[type] },
  { head: words.form.unit, value: ({ unit }) => unit },
  { head: words.form.path, value: ({ topicPropertyPath }) => topicPropertyPath },
];

/** All Variables that match the filters, as a file. */
function VariableCsv({ body }: { body: Input<'searchVariables'>['body'] }) {
  const call = useCall();
  return (
    <CsvButton
      name="variables"
      columns={CSV}
      read={(paging) => call('searchVariables', { body: { ...body, ...paging } })}
    />
  );
}

interface FilterProps {
  readonly filters: VariableFilters;
  readonly onChange: (change: Partial<VariableFilters>) => void;
}

function FilterBar({ filters, onChange }: FilterProps) {
  const { data: folders } = useFolders();
  return (
    <Filters>
      <SearchField
        label={words.search}
        value={filters.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      <DeviceSelect
        aria-label={words.device}
        placeholder={words.device}
        value={filters.deviceId ?? null}
        onChange={(id) => onChange({ deviceId: id ?? undefined })}
        clearable
      />
      {folders && folders.count > 0 ? (
        <Select
          aria-label={words.folder}
          placeholder={words.folder}
          data={folders.items.map(({ id, name }) => ({ value: id, label: name }))}
          value={filters.folderId ?? null}
          onChange={(id) => onChange({ folderId: id ?? undefined })}
          clearable
          searchable
        />
      ) : null}
      <SavedViews page="variables" />
    </Filters>
  );
}

interface ComparisonProps extends Pick<FilterProps, 'onChange'> {
  readonly ids: readonly string[];
  /** The page of the list, which a change of the chart keeps. */
  readonly page: number | undefined;
}

function Comparison({ ids, page, onChange }: ComparisonProps) {
  const [choice] = useFilters(parseChart);
  const { variables, isPending } = useSelectedVariables(ids);
  const clear = useMemo(
    () => (
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => onChange({ ids: undefined, page })}
      >
        {words.chart.clear}
      </Button>
    ),
    [onChange, page],
  );
  return (
    <ChartPanel
      title={words.chart.title}
      variables={variables}
      isDeviceNamed
      isPending={isPending}
      choice={choice}
      onChoice={(change) => onChange({ ...change, page })}
      note={words.chart.max}
      actions={clear}
    />
  );
}
