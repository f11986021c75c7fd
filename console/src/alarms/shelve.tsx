import { Button, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { nowMs } from '../runtime/index.ts';
import { type Alarm, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, Dialog, FormBody, StateBadge, Timestamp, useServerForm } from '../ui/index.ts';

const words = strings.alarms.shelve;
const HOUR_MS = 60 * 60_000;

/** Until when the Alarm is shelved, by whom and why. */
export function ShelvingNote({ alarm: { shelving } }: { alarm: Alarm }) {
  if (!shelving) return null;
  return (
    <>
      <StateBadge tone="medium">
        {words.until} <Timestamp at={shelving.untilDateTime} form="exact" />
      </StateBadge>{' '}
      {words.by(shelving.shelvedBy, shelving.reason)}
    </>
  );
}

export function Shelve({ alarm }: { alarm: Alarm }) {
  const { may } = useSession();
  const unshelve = useWrite('unshelveAlarm');
  const [isAsking, setIsAsking] = useState(false);
  if (!may('UpdateAlarmConfiguration') || alarm.isArchived) return null;
  if (alarm.shelving) {
    return (
      <Button
        variant="default"
        onClick={() => void attempt(unshelve.mutateAsync({ alarmId: alarm.id }), words.undone)}
      >
        {words.undo}
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {words.action}
      </Button>
      <Dialog title={words.title(alarm.name)} isOpen={isAsking} onClose={() => setIsAsking(false)}>
        {isAsking ? <ShelveForm alarm={alarm} onClose={() => setIsAsking(false)} /> : null}
      </Dialog>
    </>
  );
}

/** A `datetime-local` field is in the viewer's zone. The server refuses an empty one. */
function untilOf(span: string, moment: string, now: number): string {
  if (span !== 'until') return new Date(now + Number(span) * HOUR_MS).toISOString();
  return moment === '' ? '' : new Date(moment).toISOString();
}

function ShelveForm({ alarm, onClose }: { alarm: Alarm; onClose: () => void }) {
  const shelve = useWrite('shelveAlarm');
  const serverForm = useServerForm({
    initialValues: { span: '8', untilDateTime: '', reason: '' },
    send: async ({ span, untilDateTime: moment, reason }) => {
      const untilDateTime = untilOf(span, moment, nowMs());
      await shelve.mutateAsync({ alarmId: alarm.id, body: { untilDateTime, reason } });
    },
    doneMessage: words.done,
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
