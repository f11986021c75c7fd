import { Select, Text, TextInput } from '@mantine/core';
import { nowMs } from '../runtime/index.ts';
import { useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { FormBody, useServerForm } from '../ui/index.ts';

const words = strings.alarms.shelve;
const HOUR_MS = 60 * 60_000;

/** A `datetime-local` field is in the viewer's zone. The server refuses an empty one. */
function untilOf(span: string, moment: string, now: number): string {
  if (span !== 'until') return new Date(now + Number(span) * HOUR_MS).toISOString();
  return moment === '' ? '' : new Date(moment).toISOString();
}

interface Props {
  readonly alarmIds: readonly string[];
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
}

/** Shelves Alarms one after the other. After a failure, sending again shelves the rest. */
export function ShelveForm({ alarmIds, onClose, onDone }: Props) {
  const shelve = useWrite('shelveAlarm');
  const serverForm = useServerForm({
    initialValues: { span: '8', untilDateTime: '', reason: '' },
    send: async ({ span, untilDateTime: moment, reason }) => {
      const untilDateTime = untilOf(span, moment, nowMs());
      for (const alarmId of alarmIds) {
        await shelve.mutateAsync({ alarmId, body: { untilDateTime, reason } });
      }
    },
    doneMessage: strings.activeAlarms.shelve.done(alarmIds.length),
    onDone,
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm} action={words.action}>
      <Text size="sm">{words.about}</Text>
      <TextInput label={words.reason} data-autofocus {...form.getInputProps('reason')} />
      <Select
        label={words.duration}
        data={Object.entries(words.spans).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('span')}
      />
      {form.values.span === 'until' ? (
        <TextInput
          label={words.moment}
          type="datetime-local"
          {...form.getInputProps('untilDateTime')}
        />
      ) : null}
    </FormBody>
  );
}
