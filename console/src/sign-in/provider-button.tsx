import { Button, Divider } from '@mantine/core';
import { useState } from 'react';
import { IconLogin2 } from '../icons/index.ts';
import { useAuthentication, useSignInOptions } from '../session/index.ts';
import { strings } from '../strings/index.ts';

interface Props {
  readonly onFailure: (error: unknown) => void;
}

/** Signs in with the identity provider, where one is configured. */
export function ProviderButton({ onFailure }: Props) {
  const { redirectToProvider } = useAuthentication();
  const provider = useSignInOptions()?.provider;
  const [isLeaving, setIsLeaving] = useState(false);
  if (!provider) return null;
  const leave = async () => {
    setIsLeaving(true);
    await redirectToProvider().catch((error: unknown) => {
      onFailure(error);
      setIsLeaving(false);
    });
  };
  return (
    <>
      <Divider label={strings.session.or} />
      <Button
        variant="default"
        fullWidth
        loading={isLeaving}
        leftSection={<IconLogin2 size={16} aria-hidden />}
        onClick={() => void leave()}
      >
        {strings.session.provider.action(provider.name)}
      </Button>
    </>
  );
}
