import { type MaintenanceWindow, SEVERITIES } from '@fieldwatch/contract';
import { MultiSelect, Switch, Text, TextInput } from '@mantine/core';
import { localText, nowMs } from '../runtime/index.ts';
import { useEdited, useWrite } from '../service/index.ts';
import { strings, maintenance as words } from '../strings/index.ts';
import { FormBody, timeZone, useServerForm } from '../ui/index.ts';
import { type ScheduleValues, timesOf } from './schedule.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { EMPTY_SCOPE, type Scope } from './scope.ts';
import { ScopeFields } from './scope-fields.tsx';

const HOUR_MS = 60 * 60_000;

const NEW_TIMES: ScheduleValues = {
  timing: 'NOW',
  span: '1',
  from: '',
  to: '',
  recurrence: {
    weekdays: ['MONDAY'],
    monthDay: 1,
    startTime: '08:00',
    hours: 2,
    timeZone,
    untilDate: '',
  },
};

/** Proposals for a time that the user enters: the next full hour, and four hours later. */
function newTimes(): ScheduleValues {
  const next = Math.ceil(nowMs() / HOUR_MS) * HOUR_MS;
  return { ...NEW_TIMES, from: localText(next), to: localText(next + 4 * HOUR_MS) };
}

function timesOfWindow({ from, to, recurrence }: MaintenanceWindow): ScheduleValues {
  if (recurrence === null) {
    const [start, end] = [from, to].map((each) => (each ? localText(Date.parse(each)) : ''));
    return { ...NEW_TIMES, timing: 'LATER', span: 'until', from: start ?? '', to: end ?? '' };
  }
  const { kind, startTime, durationMinutes, untilDate } = recurrence;
  return {
    ...newTimes(),
    timing: kind,
    recurrence: {
      ...NEW_TIMES.recurrence,
      ...(recurrence.kind === 'WEEKLY'
        ? { weekdays: recurrence.weekdays }
        : { monthDay: recurrence.monthDay }),
      ...{ startTime, timeZone: recurrence.timeZone, untilDate: untilDate ?? '' },
      hours: durationMinutes / 60,
    },
  };
}

function valuesOf(window: MaintenanceWindow | null, scope: Scope) {
  return {
    reason: window?.reason ?? '',
    scope: window?.scope ?? scope,
    isTest: window?.mode === 'TEST',
    severities: [...(window?.severities ?? [])],
    ...(window ? timesOfWindow(window) : newTimes()),
  };
}

interface Props {
  /** The edited window; null creates one. */
  readonly window: MaintenanceWindow | null;
  /** The scope of a new window. */
  readonly scope?: Scope;
  readonly onClose: () => void;
}

export function WindowForm({ window, scope = EMPTY_SCOPE, onClose }: Props) {
  const create = useWrite('createMaintenanceWindow');
  const update = useWrite('updateMaintenanceWindow');
  const input = window && { maintenanceWindowId: window.id };
  const serverForm = useServerForm({
    initialValues: valuesOf(window, scope),
    edited: useEdited('retrieveMaintenanceWindow', input, (stored) => valuesOf(stored, scope)),
    send: async (values, ifMatch) => {
      const { reason, severities, isTest } = values;
      const mode = isTest ? ('TEST' as const) : ('QUIET' as const);
      const times = timesOf(values, nowMs());
      const body = { reason, severities, mode, scope: values.scope, ...times };
      if (input) await update.mutateAsync({ ...input, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    doneMessage: words.saved,
    onClose,
  });
  const { form } = serverForm;
  const action = form.values.timing === 'NOW' ? words.start : words.plan;
  return (
    <FormBody serverForm={serverForm} {...(window ? {} : { action })}>
      <Text size="sm" c="dimmed">
        {words.about}
      </Text>
      <TextInput
        label={words.reason}
        placeholder={words.reasonHint}
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <ScheduleFields form={form} />
      <ScopeFields
        scope={form.values.scope}
        error={scopeError(form.errors)}
        onChange={(next) => form.setFieldValue('scope', next)}
      />
      <MultiSelect
        label={words.severities}
        placeholder={form.values.severities.length > 0 ? '' : words.allSeverities}
        data={SEVERITIES.toReversed().map((value) => ({
          value,
          label: strings.severities[value],
        }))}
        {...form.getInputProps('severities')}
      />
      <Switch
        label={words.isTest}
        description={words.isTestHint}
        {...form.getInputProps('isTest', { type: 'checkbox' })}
      />
    </FormBody>
  );
}

/** The server names the field of a record that was deleted meanwhile. */
function scopeError(errors: Readonly<Record<string, unknown>>): string | undefined {
  const [, message] = Object.entries(errors).find(([path]) => path.startsWith('scope')) ?? [];
  return typeof message === 'string' ? message : undefined;
}
