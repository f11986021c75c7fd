import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Reply, useWrite } from '../service/index.ts';
import { rotas as words } from '../strings/index.ts';
import { attempt, CopyField } from '../ui/index.ts';

/** The address of the calendar of a rota. The server has it once: afterwards it can only be replaced. */
export function RotaCalendarLink({ rota }: { rota: Reply<'retrieveRota'> }) {
  const create = useWrite('createRotaCalendarLink');
  const revoke = useWrite('revokeRotaCalendarLink');
  const [url, setUrl] = useState<string | null>(null);
  const [hasLink, setHasLink] = useState(rota.hasCalendarLink);
  const rotaId = rota.id;
  const make = async () => {
    const { path } = await create.mutateAsync({ rotaId });
    setUrl(new URL(path, window.location.origin).href);
    setHasLink(true);
  };
  const end = async () => {
    await revoke.mutateAsync({ rotaId });
    setUrl(null);
    setHasLink(false);
  };
  return (
    <Stack gap={6}>
      {url ? <CopyField label={words.calendarLink} value={url} /> : null}
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          loading={create.isPending}
          onClick={() => void attempt(make(), words.linkMade)}
        >
          {hasLink ? words.replaceLink : words.makeLink}
        </Button>
        {hasLink ? (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            onClick={() => void attempt(end(), words.linkEnded)}
          >
            {words.endLink}
          </Button>
        ) : null}
      </Group>
      <Text size="xs" c="dimmed">
        {words.linkAbout}
      </Text>
    </Stack>
  );
}
