import { Textarea } from '@mantine/core';
import { useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useFocusAfter, useServerForm } from '../ui/index.ts';

const words = strings.alarms.acknowledge;
/** The maximum that the server takes. */
const EVENTS_PER_REQUEST = 500;

interface Props {
  /** The events to acknowledge; the dialog is closed while there are none. */
  readonly eventIds: readonly string[];
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Acknowledges events with an optional note. Ctrl-Enter submits. */
export function Acknowledge({ eventIds, onClose, onDone }: Props) {
  const isOpen = eventIds.length > 0;
  useFocusAfter(isOpen);
  return (
    <Dialog title={words.title(eventIds.length)} isOpen={isOpen} onClose={onClose}>
      {isOpen ? (
        <AcknowledgeForm eventIds={eventIds} onClose={onClose} {...(onDone ? { onDone } : {})} />
      ) : null}
    </Dialog>
  );
}

function AcknowledgeForm({ eventIds, onClose, onDone }: Props) {
  const acknowledge = useWrite('acknowledgeAlarmEvents');
  const serverForm = useServerForm({
    initialValues: { note: '' },
    send: async ({ note }) => {
      for (let next = 0; next < eventIds.length; next += EVENTS_PER_REQUEST) {
        const part = eventIds.slice(next, next + EVENTS_PER_REQUEST);
        await acknowledge.mutateAsync({
          body: { eventIds: part, ...(note.trim() === '' ? {} : { note }) },
        });
      }
    },
    doneMessage: words.done,
    onDone,
    onClose,
  });
  return (
    <FormBody serverForm={serverForm} action={words.action}>
      <Textarea
        label={words.note}
        data-autofocus
        autosize
        minRows={2}
        maxLength={2_000}
        {...serverForm.form.getInputProps('note')}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) serverForm.onSubmit();
        }}
      />
    </FormBody>
  );
}
