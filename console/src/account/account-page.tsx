import { Stack } from '@mantine/core';
import { Invitations } from '../invitations/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Page } from '../ui/index.ts';
import { Sessions } from './sessions.tsx';

/** The user's own account: open invitations and sessions. */
export function AccountPage() {
  const { me } = useSession();
  return (
    <Page title={strings.account.title} about={me.email}>
      <Stack gap="lg">
        <Invitations />
        <Sessions />
      </Stack>
    </Page>
  );
}
