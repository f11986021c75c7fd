import { Textarea } from '@mantine/core';
import { useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';

const words = strings.alarms.acknowledge;

interface Given {
  /** Of which events; open while there are some. */
  readonly eventIds: readonly string[];
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Says that one has it in hand, with a note if one likes. Enter is enough. */
export function Acknowledge({ eventIds, onClose, onDone }: Given) {
  return (
    <Dialog title={words.title(eventIds.length)} isOpen={eventIds.length > 0} onClose={onClose}>
      {eventIds.length > 0 ? (
        <AcknowledgeForm eventIds={eventIds} onClose={onClose} {...(onDone ? { onDone } : {})} />
      ) : null}
    </Dialog>
  );
}

function AcknowledgeForm({ eventIds, onClose, onDone }: Given) {
  const acknowledge = useWrite('acknowledgeAlarmEvents');
  const serverForm = useServerForm({
    initialValues: { note: '' },
    send: async ({ note }) => {
      await acknowledge.mutateAsync({
        body: { eventIds: [...eventIds], ...(note.trim() === '' ? {} : { note }) },
      });
    },
    told: words.done,
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
