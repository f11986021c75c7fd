import { Button, Grid, Group, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { WatchingAlarms } from '../alarm-events/index.ts';
import { parseChart } from '../charts/index.ts';
import { IconPlus } from '../icons/index.ts';
import { useLatest } from '../live/index.ts';
import { DeviceLink } from '../references/index.ts';
import { useFilters, useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { DeleteAction, EditButton, Page, Panel, RecordPage } from '../ui/index.ts';
import { ChartPanel } from '../variable-charts/index.ts';
import { LiveReading, LiveReadingTime } from './reading.tsx';
import { VariableDetails } from './variable-details.tsx';
import { VariableEdit } from './variable-form.tsx';

const words = strings.variables;

export function VariablePage() {
  const { variableId } = useParams({ strict: false }) as { variableId: string };
  const query = useRead('retrieveVariable', { variableId });
  return (
    <RecordPage query={query} list={{ title: words.title, path: '/variables' }}>
      {(variable) => <VariableView variable={variable} />}
    </RecordPage>
  );
}

function VariableView({ variable }: { variable: Variable }) {
  useLatest([variable.id]);
  const trail = (
    <Link to="/variables" className="linked">
      {words.title}
    </Link>
  );
  return (
    <Page
      title={variable.name}
      trail={trail}
      about={<DeviceLink id={variable.deviceId} />}
      actions={<Actions variable={variable} />}
      record={{ resource: 'Variable', id: variable.id }}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <VariableChart variable={variable} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <Panel title={words.value}>
              <Group gap="xs" align="baseline">
                <LiveReading variable={variable} />
                <LiveReadingTime variableId={variable.id} />
              </Group>
            </Panel>
            <WatchingAlarms
              search={{ deviceVariableIds: [variable.id] }}
              title={words.page.alarms}
              none={words.page.noAlarms}
            />
            <VariableDetails variable={variable} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** Alone, as the rest of the page does not depend on the range. */
function VariableChart({ variable }: { variable: Variable }) {
  const [choice, setChoice] = useFilters(parseChart);
  const variables = useMemo(() => [variable], [variable]);
  return (
    <ChartPanel
      title={words.chart.title}
      variables={variables}
      choice={choice}
      onChoice={setChoice}
      height={340}
    />
  );
}

function Actions({ variable }: { variable: Variable }) {
  const { may } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const { id: variableId, deviceId } = variable;
  return (
    <>
      {may('CreateAlarmConfiguration') ? (
        <Button
          variant="default"
          component={Link}
          to={`/alarms/configurations/new?deviceId=${deviceId}&variableId=${variableId}`}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          {words.page.addAlarm}
        </Button>
      ) : null}
      {may('UpdateVariable') ? <EditButton onClick={() => setIsEditing(true)} /> : null}
      {may('DeleteVariable') ? (
        <DeleteAction
          operation="deleteVariable"
          input={{ deviceId, variableId }}
          name={variable.name}
          isTyped
          leaveTo="/variables"
        >
          {words.removeText}
        </DeleteAction>
      ) : null}
      <VariableEdit variable={isEditing ? variable : null} onClose={() => setIsEditing(false)} />
    </>
  );
}
