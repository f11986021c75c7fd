import { FieldwatchError } from '@fieldwatch/client';
import { Alert, Button, Center, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { failureText } from '../service/index.ts';
import { ProviderRefusalError, StrangeReturnError, useDoor } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Entrance } from './frame.tsx';

const words = strings.session.provider;

/** Nothing that the address says is shown: anybody can write an address. */
function refusalText(error: unknown): string {
  if (error instanceof StrangeReturnError) return words.invalidState;
  if (error instanceof ProviderRefusalError) return words.refused;
  if (!(error instanceof FieldwatchError)) return failureText(error);
  return error.status === 401 ? `${error.detail} ${words.unknown}` : failureText(error);
}

/** Where the identity provider sends the browser back to. */
export function ProviderReturnPage() {
  const { returnFromProvider } = useDoor();
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${strings.session.title} · ${strings.app.name}`;
    let isShown = true;
    returnFromProvider(new URLSearchParams(window.location.search)).catch((error: unknown) => {
      if (isShown) setRefusal(refusalText(error));
    });
    return () => {
      isShown = false;
    };
  }, [returnFromProvider]);
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
