import { Alert, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type PhoneChannel, useWrite } from '../service/index.ts';
import { phoneChannels as words } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';

interface TestProps {
  readonly channel: PhoneChannel;
  readonly onClose: () => void;
}

/** Sends a message at once, and shows how the service answered. */
export function PhoneChannelTest({ channel, onClose }: TestProps) {
  const test = useWrite('testPhoneChannel');
  const [error, setError] = useState<string | null>();
  const serverForm = useServerForm({
    initialValues: { to: '' },
    send: async (body) => {
      setError(undefined);
      setError((await test.mutateAsync({ channelId: channel.id, body })).error);
    },
    doneMessage: null,
  });
  return (
    <Dialog isOpen onClose={onClose} title={words.testTitle(channel.name)}>
      <FormBody serverForm={serverForm} action={words.testSend}>
        <TextInput
          label={words.testTo}
          description={words.testToHint}
          type="tel"
          data-autofocus
          {...serverForm.form.getInputProps('to')}
        />
        {error === undefined ? null : (
          <Alert color={error === null ? 'green' : 'red'} role="status">
            {error ?? words.testAccepted}
          </Alert>
        )}
      </FormBody>
    </Dialog>
  );
}
