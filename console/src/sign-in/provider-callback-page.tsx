import { FieldwatchError } from '@fieldwatch/client';
import { Alert, Button, Center, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { failureText } from '../service/index.ts';
import { InvalidStateError, ProviderRefusalError, useAuthentication } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Entrance } from './frame.tsx';

const words = strings.session.provider;

/** No text from the URL is shown, since anyone can craft a URL. */
function refusalText(error: unknown): string {
  if (error instanceof InvalidStateError) return words.invalidState;
  if (error instanceof ProviderRefusalError) return words.refused;
  if (!(error instanceof FieldwatchError)) return failureText(error);
  return error.status === 401 ? `${error.detail} ${words.unknown}` : failureText(error);
}

/** The path to which the identity provider redirects. */
export function ProviderCallbackPage() {
  const { completeProviderSignIn } = useAuthentication();
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${strings.session.title} · ${strings.app.name}`;
    let isShown = true;
    completeProviderSignIn(new URLSearchParams(window.location.search)).catch((error: unknown) => {
      if (isShown) setRefusal(refusalText(error));
    });
    return () => {
      isShown = false;
    };
  }, [completeProviderSignIn]);
  return (
    <Entrance title={refusal === null ? words.inProgress : words.failed}>
      {refusal === null ? (
        <Center>
          <Loader aria-label={strings.ui.loading} />
        </Center>
      ) : (
        <>
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
          <Button component="a" href="/" fullWidth>
            {words.back}
          </Button>
        </>
      )}
    </Entrance>
  );
}
