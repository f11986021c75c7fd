import { Button, Divider } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useDoor, useSignInOptions } from '../session/index.ts';
import { strings } from '../strings/index.ts';

interface Given {
  readonly onFailure: (error: unknown) => void;
}

/** The way to the identity provider, where one is configured. */
export function ProviderButton({ onFailure }: Given) {
  const { leaveForProvider } = useDoor();
  const provider = useSignInOptions()?.provider;
  const [isLeaving, setIsLeaving] = useState(false);
  if (!provider) return null;
  const leave = async () => {
    setIsLeaving(true);
    await leaveForProvider().catch((error: unknown) => {
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
