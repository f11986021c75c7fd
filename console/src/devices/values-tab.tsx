import { Button, Grid } from '@mantine/core';
import { useMemo, useState } from 'react';
import { parseChart } from '../charts/index.ts';
import { IconGauge, IconPlus } from '../icons/index.ts';
import { useLatest } from '../live/index.ts';
import { type Device, useFilters, useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Empty,
  Filters,
  Listing,
  pageOf,
  RecordTable,
  SearchField,
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

function columnsOf(
  charted: readonly string[],
  toggle: (id: string) => void,
): readonly Column<Variable>[] {
  return [
    chartColumn(charted, toggle),
    { head: words.value, cell: (variable) => <LiveReading variable={variable} /> },
    { head: words.time, cell: ({ id }) => <LiveReadingTime variableId={id} /> },
    { head: words.path, cell: ({ topicPropertyPath }) => topicPropertyPath, isMinor: true },
  ];
}

/** The Variables of the Device with their live values. */
export function ValuesTab({ device }: { device: Device }) {
  const { may } = useSession();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [initial, setInitial] = useState<Partial<VariableValues> | null>(null);
  const query = useRead(
    'listDeviceVariables',
    { deviceId: device.id, query: { ...pageOf(page), ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  useLatest(query.data?.items.map(({ id }) => id) ?? []);
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
          onChange={(next) => {
            setSearch(next);
            setPage(1);
          }}
        />
        {add}
      </Filters>
      <Listing
        query={query}
        page={page}
        onPage={setPage}
        isFiltered={search !== ''}
        countOf={strings.variables.countOf}
        empty={
          <Empty title={words.empty} icon={<IconGauge />}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => <ChartedValues variables={items} scope={search} />}
      </Listing>
      <VariableCreation deviceId={device.id} initial={initial} onClose={() => setInitial(null)} />
    </>
  );
}

interface ChartedProps {
  readonly variables: readonly Variable[];
  /** The search, whose change clears the selection. */
  readonly scope: string;
}

/** The values of the page, and a chart of those added to it. */
function ChartedValues({ variables, scope }: ChartedProps) {
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
          columns={columnsOf(charted, toggle)}
          columnsKey="device-variables"
          records={variables}
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
