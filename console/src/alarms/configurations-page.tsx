import { ALARM_STATUSES, ARCHIVED_SCOPES, SEVERITIES, type Severity } from '@fieldwatch/contract';
import { Button, MultiSelect, SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconBell, IconPlus } from '../icons/index.ts';
import {
  compact,
  manyIn,
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
  ArchivedScopeFilter,
  Empty,
  Filters,
  Listing,
  Page,
  pageOf,
  SearchField,
} from '../ui/index.ts';
import { AlarmTabs } from './alarm-tabs.tsx';
import { ConfigurationTable } from './configuration-table.tsx';

const words = strings.alarms;

function parse(raw: Raw) {
  return compact({
    search: textIn(raw.search),
    severities: manyIn(raw.severities, SEVERITIES),
    status: oneIn(raw.status, ALARM_STATUSES),
    scope: oneIn(raw.scope, ARCHIVED_SCOPES),
    page: pageIn(raw.page),
  });
}

type ListFilters = ReturnType<typeof parse>;

export function AlarmConfigurationsPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const { search, severities, status, scope = 'active', page = 1 } = filters;
  const query = useRead(
    'searchAlarms',
    {
      body: {
        archivedScope: scope,
        ...pageOf(page),
        ...(search ? { search } : {}),
        ...(severities?.length ? { severities } : {}),
        ...(status ? { statuses: [status] } : {}),
      },
    },
    { keepsPrevious: true, refetchIntervalMs: 30_000 },
  );
  const isFiltered = Boolean(search || severities?.length || status || scope !== 'active');
  const add = may('CreateAlarmConfiguration') ? (
    <Button
      component={Link}
      to="/alarms/configurations/new"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {words.list.add}
    </Button>
  ) : null;
  return (
    <Page title={words.titles.configurations} actions={add}>
      <AlarmTabs />
      <FilterBar filters={filters} onChange={setFilters} />
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={isFiltered}
        empty={
          <Empty title={words.list.empty} icon={<IconBell />} action={add}>
            {words.list.emptyHint}
          </Empty>
        }
      >
        {(items) => <ConfigurationTable alarms={items} />}
      </Listing>
    </Page>
  );
}

interface BarProps {
  readonly filters: ListFilters;
  readonly onChange: (change: Partial<ListFilters>) => void;
}

function FilterBar({ filters, onChange }: BarProps) {
  const { status: statusWords } = words.list;
  return (
    <Filters>
      <SearchField
        label={words.list.search}
        value={filters.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      <MultiSelect
        aria-label={words.severity}
        placeholder={filters.severities?.length ? '' : words.severity}
        data={SEVERITIES.toReversed().map((value) => ({ value, label: strings.severities[value] }))}
        value={[...(filters.severities ?? [])]}
        onChange={(severities) => onChange({ severities: severities as Severity[] })}
        clearable
        w={{ base: '100%', xs: 200 }}
      />
      <SegmentedControl
        size="xs"
        aria-label={statusWords.label}
        value={filters.status ?? 'all'}
        onChange={(next) => onChange({ status: oneIn(next, ALARM_STATUSES) })}
        data={(['all', ...ALARM_STATUSES] as const).map((value) => ({
          value,
          label: statusWords[value],
        }))}
      />
      <ArchivedScopeFilter
        value={filters.scope ?? 'active'}
        onChange={(scope) => onChange({ scope })}
      />
    </Filters>
  );
}
