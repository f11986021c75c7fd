import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { MultiSelect } from '@mantine/core';
import { type Units, useUnits } from '../alarm-events/index.ts';
import { parseRange, type RangeChoice, RangePicker, useRange } from '../charts/index.ts';
import { IconHistory } from '../icons/index.ts';
import { useLatest } from '../live/index.ts';
import {
  compact,
  manyIn,
  pageIn,
  type Raw,
  textIn,
  useFilters,
  useRead,
} from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  Empty,
  Filters,
  filterWidth,
  Listing,
  Page,
  pageOf,
  RecordTable,
  SavedViews,
  SearchField,
} from '../ui/index.ts';
import { AlarmTabs } from './alarm-tabs.tsx';
import {
  acknowledgementColumn,
  alarmColumn,
  deviceColumn,
  durationColumn,
  raisedColumn,
  severityColumn,
  valueColumn,
} from './event-cells.tsx';
import { EventTimeline } from './event-timeline.tsx';
import { ExportButton } from './export-button.tsx';

const words = strings.alarms;

const columnsOf = (units: Units) => [
  alarmColumn(units),
  severityColumn,
  deviceColumn,
  valueColumn(units),
  raisedColumn,
  durationColumn,
  acknowledgementColumn,
];

interface HistoryFilters extends RangeChoice {
  readonly search?: string | undefined;
  readonly severities?: readonly Severity[] | undefined;
  readonly page?: number | undefined;
}

function parse(raw: Raw): HistoryFilters {
  return compact({
    ...parseRange(raw),
    search: textIn(raw.search),
    severities: manyIn(raw.severities, SEVERITIES),
    page: pageIn(raw.page),
  });
}

export function AlarmHistoryPage() {
  const [filters, setFilters] = useFilters(parse);
  const range = useRange(filters, 'week');
  const { search, severities = [], page = 1 } = filters;
  const exported = {
    startTime: range.startMs,
    endTime: range.endMs,
    ...(search ? { search } : {}),
    ...(severities.length > 0 ? { severities: [...severities] } : {}),
  };
  const query = useRead(
    'listAlarmHistory',
    { body: { ...exported, ...pageOf(page) } },
    { keepsPrevious: true },
  );
  const events = query.data?.items ?? [];
  const units = useUnits(events.map(({ deviceVariableId }) => deviceVariableId));
  const active = events.filter(({ clearedDateTime }) => clearedDateTime === null);
  useLatest([...new Set(active.map(({ deviceVariableId }) => deviceVariableId))]);
  return (
    <Page title={words.titles.history} actions={<ExportButton search={exported} />}>
      <AlarmTabs />
      <Filters>
        <RangePicker choice={filters} range={range} fallback="week" onChange={setFilters} />
        <SearchField
          label={words.history.search}
          value={search ?? ''}
          onChange={(next) => setFilters({ search: next })}
        />
        <MultiSelect
          aria-label={words.severity}
          placeholder={severities.length > 0 ? '' : words.severity}
          data={SEVERITIES.toReversed().map((value) => ({
            value,
            label: strings.severities[value],
          }))}
          value={[...severities]}
          onChange={(next) => setFilters({ severities: next as Severity[] })}
          clearable
          w={filterWidth(220)}
        />
        <SavedViews page="alarm-history" />
      </Filters>
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={false}
        empty={
          <Empty title={words.history.none} icon={<IconHistory />}>
            {words.history.noneHint}
          </Empty>
        }
      >
        {(items) => (
          <>
            <EventTimeline events={items} range={range} />
            <RecordTable
              label={words.titles.history}
              columns={columnsOf(units)}
              columnsKey="alarm-history"
              records={items}
              hrefOf={({ id }) => `/alarms/events/${id}`}
              isWide
            />
          </>
        )}
      </Listing>
    </Page>
  );
}
