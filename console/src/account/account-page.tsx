import { Anchor, Stack } from '@mantine/core';
import { Invitations } from '../invitations/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Loading, Page } from '../ui/index.ts';
import { ContactPanel, useContactMethods } from './contact-panel.tsx';
import { FollowPanel } from './follow-panel.tsx';
import { PushPanel } from './push-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { Sessions } from './sessions.tsx';

/** The user's own account: open invitations, notifications, sessions, and the documentation. */
export function AccountPage() {
  const { me, may } = useSession();
  return (
    <Page title={strings.account.title} about={me.email}>
      <Stack gap="lg">
        <Invitations />
        {may('ReadAlarmConfigurations') ? <NotifiedAccount /> : <EveryAccount />}
      </Stack>
    </Page>
  );
}

/** How and when the user is notified; all panels at once, since each would move those below it. */
function NotifiedAccount() {
  const needed = [useContactMethods(), useRead('retrieveNotificationRules', {})];
  if (needed.some(({ isLoading }) => isLoading)) return <Loading rows={5} />;
  return (
    <>
      <ContactPanel />
      <FollowPanel />
      <RulesPanel />
      <PushPanel />
      <EveryAccount />
    </>
  );
}

function EveryAccount() {
  return (
    <>
      <Sessions />
      <Anchor href="/docs/guide/" target="_blank" size="sm">
        {strings.account.guide}
      </Anchor>
    </>
  );
}
