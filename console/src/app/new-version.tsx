import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { strings } from '../strings/index.ts';
import { scriptOf } from './entry-script.ts';

const CHECK_MS = 10 * 60_000;
const words = strings.app.newVersion;

async function servedScript(): Promise<string | null> {
  const reply = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
  return scriptOf(await reply.text());
}

/** Offers a reload after the server was updated: the open console is still the old one. */
export function NewVersion() {
  const running = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;
  const { data } = useQuery({
    queryKey: ['served-script'],
    queryFn: servedScript,
    initialData: running,
    staleTime: CHECK_MS,
    refetchInterval: CHECK_MS,
    retry: false,
  });
  if (data === null || data === running) return null;
  return (
    <Alert mb="sm" p="xs" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{words.text}</Text>
        <Button size="xs" onClick={() => window.location.reload()}>
          {words.reload}
        </Button>
      </Group>
    </Alert>
  );
}
