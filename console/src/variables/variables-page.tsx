import { Button, Checkbox, Select, Text } from '@mantine/core';
import { IconChartLine, IconX } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import {
  HistoryChart,
  parseRange,
  type RangeChoice,
  RangePicker,
  rangeOf,
  steadyNow,
} from '../charts/index.ts';
import { useLatest } from '../live/index.ts';
import { DeviceLink, DeviceSelect } from '../references/index.ts';
import { useNow } from '../runtime/index.ts';
import {
  compact,
  idsIn,
  keyOf,
  pageIn,
  type Raw,
  textIn,
  useCall,
  useFilters,
  useRead,
  type Variable,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Empty,
  Filters,
  Loaded,
  Page,
  Pages,
  Panel,
  pageOf,
  RecordTable,
  SearchField,
} from '../ui/index.ts';
import { LiveReading, LiveReadingTime } from './reading.tsx';

const words = strings.variables;
/** Lines on one chart that can still be told apart. */
const MOST = 8;

interface VariableFilters extends RangeChoice {
  readonly search?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly folderId?: string | undefined;
  readonly page?: number | undefined;
  /** Those that are charted. */
  readonly ids?: readonly string[] | undefined;
}

function parse(raw: Raw): VariableFilters {
  return compact({
    ...parseRange(raw),
    search: textIn(raw.search),
    deviceId: textIn(raw.deviceId),
    folderId: textIn(raw.folderId),
    page: pageIn(raw.page),
    ids: idsIn(raw.ids).slice(0, MOST),
  });
}

/** Finds Variables, and shows several on one time axis. What is shown is in the address. */
export function VariablesPage() {
  const [filters, setFilters] = useFilters(parse);
  const { search, deviceId, folderId, page = 1, ids = [] } = filters;
  const query = useRead(
    'listVariables',
    {
      query: {
        ...pageOf(page),
        ...(search ? { search } : {}),
        ...(deviceId ? { deviceIds: [deviceId] } : {}),
        ...(folderId ? { folderIds: [folderId] } : {}),
      },
    },
    { keepsPrevious: true },
  );
  useLatest(query.data?.items.map(({ id }) => id) ?? []);
  const toggle = (id: string) =>
    setFilters({
      page,
      ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-MOST),
    });
  const isFiltered = Boolean(search || deviceId || folderId);
  return (
    <Page title={words.title}>
      {ids.length > 0 ? <Comparison filters={filters} ids={ids} onChange={setFilters} /> : null}
      <FilterBar filters={filters} onChange={setFilters} />
      <Loaded query={query}>
        {({ count, items }) =>
          count === 0 ? (
            <Empty title={isFiltered ? strings.ui.noMatch : words.empty} icon={<IconChartLine />}>
              {isFiltered ? strings.ui.noMatchHint : words.emptyHint}
            </Empty>
          ) : (
            <>
              <RecordTable label={words.title} columns={columnsOf(ids, toggle)} records={items} />
              <Pages count={count} page={page} onChange={(next) => setFilters({ page: next })} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function columnsOf(
  ids: readonly string[],
  toggle: (id: string) => void,
): readonly Column<Variable>[] {
  return [
    {
      head: words.one,
      cell: ({ id, name }) => (
        <Checkbox
          checked={ids.includes(id)}
          onChange={() => toggle(id)}
          aria-label={words.chart.show(name)}
          label={
            <Link to={`/variables/${id}`} className="linked">
              {name}
            </Link>
          }
        />
      ),
    },
    { head: words.value, cell: (variable) => <LiveReading variable={variable} /> },
    { head: words.at, cell: ({ id }) => <LiveReadingTime variableId={id} />, isMinor: true },
    { head: words.device, cell: ({ deviceId }) => <DeviceLink id={deviceId} /> },
    { head: words.type, cell: ({ type }) => words.types[type], isMinor: true },
  ];
}

interface FilterProps {
  readonly filters: VariableFilters;
  readonly onChange: (change: Partial<VariableFilters>) => void;
}

function FilterBar({ filters, onChange }: FilterProps) {
  const { data: folders } = useRead('listVariableFolders', { query: { take: 1000 } });
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
    </Filters>
  );
}

function Comparison({ filters, ids, onChange }: FilterProps & { readonly ids: readonly string[] }) {
  const now = useNow();
  const rough = rangeOf(filters, now);
  const range = rangeOf(filters, steadyNow(now, rough.endMs - rough.startMs));
  const variables = useVariables(ids);
  const { page } = filters;
  return (
    <Panel
      title={words.chart.title}
      actions={
        <>
          <RangePicker choice={filters} onChange={(choice) => onChange({ ...choice, page })} />
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => onChange({ ids: undefined, page })}
          >
            {words.chart.clear}
          </Button>
        </>
      }
    >
      <HistoryChart
        variables={variables}
        range={range}
        height={320}
        onZoom={({ startMs, endMs }) => onChange({ from: startMs, to: endMs, page })}
        onZoomOut={() => onChange({ from: undefined, to: undefined, page })}
      />
      <Text size="xs" c="dimmed">
        {strings.charts.hint} {words.chart.most}
      </Text>
    </Panel>
  );
}

/** The chosen ones, in the order chosen; those that are gone are left out. */
function useVariables(ids: readonly string[]): readonly Variable[] {
  const call = useCall();
  const { organization } = useSession();
  const combine = useCallback(
    (results: readonly { data: Variable | undefined }[]) =>
      results.flatMap(({ data }) => (data ? [data] : [])),
    [],
  );
  return useQueries({
    queries: ids.map((variableId) => ({
      queryKey: keyOf(organization.id, 'retrieveVariable', { variableId }),
      queryFn: (): Promise<Variable> => call('retrieveVariable', { variableId }),
      staleTime: 60_000,
    })),
    combine,
  });
}
