import type { Operations, ReplyBody } from '@fieldwatch/contract';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAuthentication } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, Panel, Timestamp } from '../ui/index.ts';

const words = strings.account.invitations;

type Invitation = ReplyBody<Operations['listInvitations']>['items'][number];

const REFETCH_MS = 5 * 60_000;

/** The signed-in user's open invitations. They belong to the account, not to an organization. */
export function useInvitations() {
  const { client } = useAuthentication();
  return useQuery({
    queryKey: ['listInvitations'],
    queryFn: ({ signal }) => client.listInvitations({ signal }),
    refetchInterval: REFETCH_MS,
  });
}

/** The token of an invitation, also from a whole pasted link. */
function tokenIn(text: string): string {
  return text.slice(text.lastIndexOf('#') + 1).trim();
}

/** The open invitations; renders nothing without any. */
export function Invitations() {
  const { data } = useInvitations();
  if (!data || data.items.length === 0) return null;
  return (
    <Panel title={words.title}>
      <Stack gap="sm">
        {data.items.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    </Panel>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, organization, role, needsToken, expiresDateTime } = invitation;
  const { client } = useAuthentication();
  const queries = useQueryClient();
  const [link, setLink] = useState(() => tokenIn(window.location.hash));
  const [isBusy, setIsBusy] = useState(false);
  const respond = async (work: () => Promise<unknown>, done: string) => {
    setIsBusy(true);
    if (await attempt(work(), done)) await queries.invalidateQueries();
    setIsBusy(false);
  };
  const accept = () => {
    const token = tokenIn(link);
    return client.acceptInvitation({ invitationId: id, body: token === '' ? {} : { token } });
  };
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <div>
        <Text fw={600}>{organization.name}</Text>
        <Text size="sm" c="dimmed">
          {words.offer(strings.administration.users.roles[role])} <Timestamp at={expiresDateTime} />
        </Text>
        {needsToken ? (
          <TextInput
            mt="xs"
            label={words.link}
            description={words.linkAbout}
            autoComplete="off"
            value={link}
            onChange={({ currentTarget }) => setLink(currentTarget.value)}
          />
        ) : null}
      </div>
      <Group gap="xs">
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() =>
            void respond(() => client.declineInvitation({ invitationId: id }), words.declined)
          }
        >
          {words.decline}
        </Button>
        <Button
          loading={isBusy}
          disabled={needsToken && tokenIn(link) === ''}
          onClick={() => void respond(accept, words.accepted(organization.name))}
        >
          {words.accept}
        </Button>
      </Group>
    </Group>
  );
}
