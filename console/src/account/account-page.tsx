import { Stack } from '@mantine/core';
import { Invitations } from '../invitations/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Page } from '../ui/index.ts';
import { Sessions } from './sessions.tsx';

/** A person's own account: the organizations that invited them, and where they are signed in. */
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
