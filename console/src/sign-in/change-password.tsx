import { PasswordInput } from '@mantine/core';
import { useAuthentication } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';

const words = strings.session.changePassword;

/** Changes the user's own password; the server ends all other sessions. */
export function ChangePassword({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      <PasswordForm onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { client } = useAuthentication();
  const serverForm = useServerForm({
    initialValues: { currentPassword: '', newPassword: '' },
    send: async (body) => {
      await client.changePassword({ body });
    },
    doneMessage: words.done,
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm} action={words.action}>
      <PasswordInput
        label={words.current}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label={words.next}
        autoComplete="new-password"
        {...form.getInputProps('newPassword')}
      />
    </FormBody>
  );
}
