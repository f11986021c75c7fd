import { FieldwatchError } from '@fieldwatch/client';
import { PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { failureText, fieldErrorsOf } from '../service/index.ts';
import { useAuthentication } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Entrance } from './frame.tsx';
import { Submit } from './submit.tsx';

const words = strings.session.invitation;

function refusalText(error: unknown): string {
  if (!(error instanceof FieldwatchError)) return failureText(error);
  return error.status === 401 ? words.bad : (fieldErrorsOf(error).password ?? error.detail);
}

/**
 * The page of an invitation link. Its token is in the fragment, which browsers do not send to the
 * server, so it is not in any log.
 */
export function InvitationPage() {
  const { redeemInvitation } = useAuthentication();
  const token = window.location.hash.slice(1);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(token === '' ? words.missing : null);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    try {
      await redeemInvitation(token, password);
      window.history.replaceState(null, '', '/');
      window.location.reload();
    } catch (error) {
      setRefusal(refusalText(error));
      setIsBusy(false);
    }
  };
  return (
    <Entrance title={words.title}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Text size="sm">{words.text}</Text>
          <PasswordInput
            label={words.password}
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Submit
            label={words.action}
            refusal={refusal}
            isBusy={isBusy}
            isDisabled={token === ''}
          />
        </Stack>
      </form>
    </Entrance>
  );
}
