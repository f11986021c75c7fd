import { ALARM_STATUSES, ARCHIVED_SCOPES, SEVERITIES, type Severity } from '@fieldwatch/contract';
import { Button, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconBell, IconPlus } from '../icons/index.ts';
import {
  compact,
  manyIn,
  oneIn,
  positionIn,
  type Raw,
  textIn,
  useFilters,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  ArchivedScopeFilter,
  Empty,
  Filters,
  filterWidth,
  ListCsv,
  Page,
  SavedViews,
  SearchField,
  useList,
} from '../ui/index.ts';
import { AlarmTabs } from './alarm-tabs.tsx';
import { ALARM_CSV, useAlarmColumns, useAlarmGroups } from './configuration-columns.tsx';
import { ConfigurationTable } from './configuration-table.tsx';

const words = strings.alarms;

function parse(raw: Raw) {
  return compact({
    ...positionIn(raw),
    search: textIn(raw.search),
    severities: manyIn(raw.severities, SEVERITIES),
    status: oneIn(raw.status, ALARM_STATUSES),
    scope: oneIn(raw.scope, ARCHIVED_SCOPES),
    groupId: textIn(raw.groupId),
  });
}

type ListFilters = ReturnType<typeof parse>;

function useAlarms(filters: ListFilters, onChange: (change: Partial<ListFilters>) => void) {
  const { search, severities, status, groupId, scope = 'active' } = filters;
  return useList({
    name: 'alarm-configurations',
    operation: 'searchAlarms',
    inputOf: (paging) => ({
      body: {
        archivedScope: scope,
        ...paging,
        ...(search ? { search } : {}),
        ...(severities?.length ? { severities } : {}),
        ...(status ? { statuses: [status] } : {}),
        ...(groupId ? { alarmGroupIds: [groupId] } : {}),
      },
    }),
    columns: useAlarmColumns(),
    position: filters,
    onChange,
    refetchIntervalMs: 30_000,
  });
}

export function AlarmConfigurationsPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const { search, severities, status, groupId, scope = 'active' } = filters;
  const list = useAlarms(filters, setFilters);
  const isFiltered = Boolean(
    search || severities?.length || status || groupId || scope !== 'active',
  );
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
    <Page
      title={words.titles.configurations}
      actions={
        <>
          <ListCsv list={list} more={ALARM_CSV} />
          {add}
        </>
      }
    >
      <AlarmTabs />
      <FilterBar filters={filters} onChange={setFilters} />
      <ConfigurationTable
        list={list}
        isFiltered={isFiltered}
        empty={
          <Empty title={words.list.empty} icon={<IconBell />} action={add}>
            {words.list.emptyHint}
          </Empty>
        }
      />
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
        w={filterWidth(200)}
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
      <GroupFilter filters={filters} onChange={onChange} />
      <SavedViews page="alarm-configurations" />
    </Filters>
  );
}

function GroupFilter({ filters, onChange }: BarProps) {
  const { data } = useAlarmGroups();
  return (
    <Select
      aria-label={words.group}
      placeholder={words.group}
      data={data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={filters.groupId ?? null}
      onChange={(id) => onChange({ groupId: id ?? undefined })}
      clearable
      searchable
    />
  );
}
