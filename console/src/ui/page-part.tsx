import { ConnectionError } from '@fieldwatch/client';
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScript } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Failed, Loading } from './states.tsx';

const words = strings.ui.missingPart;

interface Props<M> {
  /** The same for all parts that load the same script. */
  readonly name: string;
  readonly load: () => Promise<M>;
  readonly loading?: ReactNode;
  readonly children: (script: M) => ReactNode;
}

/** A part of a page whose script is loaded on first use. The page stays usable when that fails. */
export function PagePart<M>({ name, load, loading = <Loading />, children }: Props<M>) {
  const { data, error, refetch } = useScript(name, load);
  if (data !== undefined) return children(data);
  if (error === null) return loading;
  if (error instanceof ConnectionError) {
    return <Failed error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Stack gap="xs" align="flex-start" role="alert">
      <Text size="sm">{words.text}</Text>
      <Button size="xs" variant="default" onClick={() => window.location.reload()}>
        {words.reload}
      </Button>
    </Stack>
  );
}
