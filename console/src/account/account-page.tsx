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

/** The user's own account: open invitations, browsers with notifications, sessions, and the documentation. */
export function AccountPage() {
  const { me, may } = useSession();
  return (
    <Page title={strings.account.title} about={me.email}>
      <Stack gap="lg">
        <Invitations />
        {may('ReadAlarmConfigurations') ? <NotificationPanels /> : null}
        <Sessions />
        <Anchor href="/docs/guide/" target="_blank" size="sm">
          {strings.account.guide}
        </Anchor>
      </Stack>
    </Page>
  );
}

/** How and when the user is notified: all at once, since each would move those below it. */
function NotificationPanels() {
  const needed = [useContactMethods(), useRead('retrieveNotificationRules', {})];
  if (needed.some(({ isLoading }) => isLoading)) return <Loading rows={8} />;
  return (
    <>
      <ContactPanel />
      <FollowPanel />
      <RulesPanel />
      <PushPanel />
    </>
  );
}
