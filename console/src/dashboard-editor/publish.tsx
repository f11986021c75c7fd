import { Textarea } from '@mantine/core';
import { useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';

const words = strings.dashboards.publish;

interface Props {
  readonly dashboardId: string;
  readonly isOpen: boolean;
  /** Saves the draft first, so that the displayed version is published. */
  readonly save: () => Promise<void>;
  readonly onClose: () => void;
  readonly onPublished: () => void;
}

export function Publish({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      {isOpen ? <PublishForm {...rest} onClose={onClose} /> : null}
    </Dialog>
  );
}

function PublishForm({ dashboardId, save, onClose, onPublished }: Omit<Props, 'isOpen'>) {
  const publish = useWrite('publishDashboard');
  const serverForm = useServerForm({
    initialValues: { comment: '' },
    send: async (body) => {
      await save();
      await publish.mutateAsync({ dashboardId, body });
    },
    doneMessage: strings.dashboards.edit.published,
    onDone: onPublished,
    onClose,
  });
  return (
    <FormBody serverForm={serverForm} action={words.action}>
      <Textarea
        label={words.comment}
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        {...serverForm.form.getInputProps('comment')}
      />
    </FormBody>
  );
}
