import type { VariableType } from '@fieldwatch/contract';
import { Grid } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import {
  type Alarm,
  compact,
  type Edited,
  type Raw,
  textIn,
  useEdited,
  useFilters,
  useRead,
  useWrite,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  FormBody,
  NotAllowed,
  Page,
  RecordPage,
  UnsavedChanges,
  useServerForm,
} from '../ui/index.ts';
import { AlarmView } from './alarm-details.tsx';
import { AlarmFields } from './alarm-fields.tsx';
import { type AlarmValues, alarmErrors, bodyOf, newAlarm, valuesOf } from './alarm-values.ts';
import { AlarmState } from './configuration-columns.tsx';
import { Preview } from './preview.tsx';
import { Shelve, ShelvingNote } from './shelve.tsx';

const words = strings.alarms;

const parse = (raw: Raw) =>
  compact({ deviceId: textIn(raw.deviceId), variableId: textIn(raw.variableId) });

/** Creates an Alarm, optionally on the Variable in the URL. */
export function NewAlarmPage() {
  const { may } = useSession();
  const [{ deviceId, variableId }] = useFilters(parse);
  const initialValues = newAlarm({
    deviceId: deviceId ?? null,
    deviceVariableId: variableId ?? null,
  });
  const create = useWrite('createAlarm');
  if (!may('CreateAlarmConfiguration')) return <NotAllowed />;
  return (
    <Page title={words.form.create} trail={<Trail />}>
      <Editor
        initialValues={initialValues}
        send={(values, type) => create.mutateAsync({ body: bodyOf(values, type) })}
      />
    </Page>
  );
}

export function AlarmPage() {
  const { alarmId } = useParams({ strict: false }) as { alarmId: string };
  const query = useRead('retrieveAlarm', { alarmId });
  return (
    <RecordPage
      query={query}
      list={{ title: words.titles.configurations, path: '/alarms/configurations' }}
    >
      {(alarm) => <AlarmRecord alarm={alarm} />}
    </RecordPage>
  );
}

function AlarmRecord({ alarm }: { alarm: Alarm }) {
  const { may } = useSession();
  const isReadOnly = !may('UpdateAlarmConfiguration') || alarm.isArchived;
  return (
    <Page
      title={alarm.name}
      trail={<Trail />}
      about={
        <>
          <AlarmState alarm={alarm} /> <ShelvingNote alarm={alarm} />
        </>
      }
      actions={<Shelve alarm={alarm} />}
      record={{ resource: 'Alarm', id: alarm.id }}
    >
      {isReadOnly ? <AlarmView alarm={alarm} /> : <AlarmEdit key={alarm.id} alarm={alarm} />}
    </Page>
  );
}

function AlarmEdit({ alarm }: { alarm: Alarm }) {
  const update = useWrite('updateAlarm');
  return (
    <Editor
      initialValues={valuesOf(alarm)}
      edited={useEdited('retrieveAlarm', { alarmId: alarm.id }, valuesOf)}
      send={(values, type, ifMatch) =>
        update.mutateAsync({ alarmId: alarm.id, body: bodyOf(values, type), ifMatch })
      }
    />
  );
}

function Trail() {
  return (
    <Link to="/alarms/configurations" className="linked">
      {words.titles.configurations}
    </Link>
  );
}

interface EditorProps {
  readonly initialValues: AlarmValues;
  readonly edited?: Edited<AlarmValues> | undefined;
  readonly send: (
    values: AlarmValues,
    type: VariableType,
    ifMatch: string | undefined,
  ) => Promise<unknown>;
}

/** The settings of an Alarm beside the backtest of these settings. */
function Editor({ initialValues, edited, send }: EditorProps) {
  const navigate = useNavigate();
  // After saving and cancelling, when there is nothing to ask about.
  const leave = () => void navigate({ to: '/alarms/configurations', ignoreBlocker: true });
  const serverForm = useServerForm<AlarmValues>({
    initialValues,
    edited,
    validate: (values): Record<string, string> => alarmErrors(values, type),
    send: async (values, ifMatch): Promise<unknown> => send(values, type, ifMatch),
    doneMessage: words.form.saved,
    onClose: leave,
  });
  const { form } = serverForm;
  const { deviceVariableId } = form.values;
  const { data: variable } = useRead(
    'retrieveVariable',
    { variableId: deviceVariableId ?? '' },
    { enabled: deviceVariableId !== null },
  );
  const watched = deviceVariableId === null ? undefined : variable;
  const type = watched?.type ?? 'NUMBER';
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
        <FormBody serverForm={serverForm}>
          <AlarmFields form={form} type={type} />
          <UnsavedChanges isChanged={form.isDirty()} />
        </FormBody>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
        <Preview
          variable={watched}
          values={form.values}
          onThreshold={(value) => form.setFieldValue('thresholdValueNumber', value)}
        />
      </Grid.Col>
    </Grid>
  );
}
