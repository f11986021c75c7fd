import { FieldwatchError } from '@fieldwatch/client';
import { Alert, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { failureText } from '../service/index.ts';
import { useAuthentication, useSignInOptions } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Entrance } from './frame.tsx';
import { ProviderButton } from './provider-button.tsx';
import { Submit } from './submit.tsx';

function refusalText(error: unknown): string {
  if (!(error instanceof FieldwatchError)) return failureText(error);
  if (error.status === 401 || error.status === 400) return strings.session.wrong;
  return error.status === 429 ? strings.session.tooMany : failureText(error);
}

/** Sign-in by email and password. The URL stays, so the user then sees the page that they wanted. */
export function SignInPage() {
  const { signIn, hasEnded } = useAuthentication();
  const isDemo = useSignInOptions()?.isDemo === true;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    document.title = `${strings.session.title} · ${strings.app.name}`;
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setRefusal(null);
    await signIn(email, password).catch((error: unknown) => setRefusal(refusalText(error)));
    setIsBusy(false);
  };
  return (
    <Entrance title={strings.session.title}>
      {hasEnded() ? (
        <Alert color="gray" role="status">
          {strings.session.ended}
        </Alert>
      ) : null}
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <TextInput
            label={strings.session.email}
            type="email"
            name="email"
            autoComplete="username"
            required
            withAsterisk={false}
            autoFocus
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <PasswordInput
            label={strings.session.password}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Submit label={strings.session.action} refusal={refusal} isBusy={isBusy} />
          <ProviderButton onFailure={(error) => setRefusal(failureText(error))} />
          <Text size="xs" c="dimmed">
            {isDemo ? strings.session.demoStart : strings.session.firstStart}
          </Text>
        </Stack>
      </form>
    </Entrance>
  );
}
