import { Button, Grid } from '@mantine/core';
import { useMemo, useState } from 'react';
import { parseChart } from '../charts/index.ts';
import { IconGauge, IconPlus } from '../icons/index.ts';
import { useLatest } from '../live/index.ts';
import {
  compact,
  type Device,
  positionIn,
  type Raw,
  textIn,
  useFilters,
  type Variable,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  type CsvColumn,
  createdColumn,
  Empty,
  Filters,
  type List,
  ListCsv,
  Listing,
  RecordTable,
  SearchField,
  useList,
} from '../ui/index.ts';
import { ChartPanel, useCharted } from '../variable-charts/index.ts';
import {
  chartColumn,
  LiveReading,
  LiveReadingTime,
  useVariableBulkActions,
  VariableCreation,
  type VariableValues,
} from '../variables/index.ts';

const words = strings.devices.values;

const parse = (raw: Raw) => compact({ search: textIn(raw.search), ...positionIn(raw) });

/** Beside the first one, which depends on the chart. */
const others: readonly Column<Variable>[] = [
  { head: words.value, cell: (variable) => <LiveReading variable={variable} /> },
  { head: words.time, cell: ({ id }) => <LiveReadingTime variableId={id} /> },
  {
    head: words.path,
    cell: ({ topicPropertyPath }) => topicPropertyPath,
    sortKey: 'PATH',
    value: ({ topicPropertyPath }) => topicPropertyPath,
    isMinor: true,
  },
  createdColumn,
];

const columns = [chartColumn([], () => undefined), ...others];

const MORE_IN_FILE: readonly CsvColumn<Variable>[] = [
  { head: strings.variables.type, value: ({ type }) => strings.variables.types[type] },
  { head: strings.variables.form.unit, value: ({ unit }) => unit },
];

/** The Variables of the Device with their live values. */
export function ValuesTab({ device }: { device: Device }) {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const { search = '' } = filters;
  const [initial, setInitial] = useState<Partial<VariableValues> | null>(null);
  const list = useList({
    name: 'device-variables',
    operation: 'listDeviceVariables',
    inputOf: (paging) => ({
      deviceId: device.id,
      query: { ...paging, ...(search ? { search } : {}) },
    }),
    columns,
    position: filters,
    onChange: setFilters,
  });
  useLatest(list.query.data?.items.map(({ id }) => id) ?? []);
  const add = may('CreateVariable') ? (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setInitial({})}
    >
      {words.add}
    </Button>
  ) : null;
  return (
    <>
      <Filters>
        <SearchField
          label={words.search}
          value={search}
          onChange={(next) => setFilters({ search: next })}
        />
        <ListCsv list={list} more={MORE_IN_FILE} />
        {add}
      </Filters>
      <Listing
        query={list.query}
        page={list.page}
        onPage={list.onPage}
        isFiltered={search !== ''}
        countOf={strings.variables.countOf}
        empty={
          <Empty title={words.empty} icon={<IconGauge />}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => <ChartedValues variables={items} list={list} />}
      </Listing>
      <VariableCreation deviceId={device.id} initial={initial} onClose={() => setInitial(null)} />
    </>
  );
}

interface ChartedProps {
  readonly variables: readonly Variable[];
  readonly list: Pick<List<Variable>, 'name' | 'scope' | 'sort'>;
}

/** The values of the page, and a chart of those added to it. */
function ChartedValues({ variables, list: { name, scope, sort } }: ChartedProps) {
  const actions = useVariableBulkActions();
  const { charted, toggle } = useCharted(variables);
  const shown = useMemo(
    () => variables.filter(({ id }) => charted.includes(id)),
    [variables, charted],
  );
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <RecordTable
          label={strings.variables.title}
          columns={[chartColumn(charted, toggle), ...others]}
          columnsKey={name}
          records={variables}
          sort={sort}
          hrefOf={({ id }) => `/variables/${id}`}
          bulk={{ scope, actions, nameOf: ({ name }) => name, many: strings.variables.title }}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <ValuesChart variables={shown} />
      </Grid.Col>
    </Grid>
  );
}

/** Alone, as the table does not depend on the range. */
function ValuesChart({ variables }: Pick<ChartedProps, 'variables'>) {
  const [choice, setChoice] = useFilters(parseChart);
  return (
    <ChartPanel
      title={strings.variables.chart.title}
      variables={variables}
      choice={choice}
      onChoice={setChoice}
      height={260}
      empty={strings.assets.chart.none}
    />
  );
}
