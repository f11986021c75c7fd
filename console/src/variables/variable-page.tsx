import { Button, Grid, Group, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { WatchingAlarms } from '../alarm-events/index.ts';
import { parseRange, type Range, useRange } from '../charts/index.ts';
import { IconDownload, IconPlus } from '../icons/index.ts';
import { useLatest } from '../live/index.ts';
import { DeviceLink } from '../references/index.ts';
import { useCall, useFilters, useRead, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  countText,
  DeleteAction,
  EditButton,
  notifyFailure,
  notifyProblem,
  Page,
  Panel,
  RecordPage,
  saveFile,
} from '../ui/index.ts';
import { ChartPanel } from '../variable-charts/index.ts';
import { exportFileName, readingsCsv } from './export.ts';
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
  const [choice, setChoice] = useFilters(parseRange);
  const range = useRange(choice);
  const variables = useMemo(() => [variable], [variable]);
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
      actions={<Actions variable={variable} range={range} />}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <ChartPanel
            title={words.chart.title}
            variables={variables}
            choice={choice}
            onChoice={setChoice}
            height={340}
          />
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

function Actions({ variable, range }: { variable: Variable; range: Range }) {
  const { may } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const { id: variableId, deviceId } = variable;
  return (
    <>
      <Export variable={variable} range={range} />
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

/** Exports the readings of the displayed range as a file. */
function Export({ variable, range }: { variable: Variable; range: Range }) {
  const call = useCall();
  const [progress, setProgress] = useState<number | null>(null);
  const run = async () => {
    setProgress(0);
    try {
      const { id: variableId, deviceId, name, unit } = variable;
      const { name: device } = await call('retrieveDevice', { deviceId });
      const source = { variableId, device, variable: name, unit };
      const csv = await readingsCsv(call, source, range, setProgress);
      if (csv) saveFile(exportFileName(source, range), 'text/csv', csv);
      else notifyProblem(words.page.exportIncomplete);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setProgress(null);
    }
  };
  return (
    <Button
      variant="default"
      loading={progress !== null}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => void run()}
    >
      {progress === null ? words.page.export : words.page.exporting(countText(progress))}
    </Button>
  );
}
