import { Center, Container, Loader, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { colorSchemeManager, cssVariablesResolver, theme } from '../design/index.ts';
import { Invitations } from '../invitations/index.ts';
import { LiveProvider } from '../live/index.ts';
import {
  type Authentication,
  AuthenticationProvider,
  CALLBACK_PATH,
  SessionProvider,
  useIsSignedIn,
  useMe,
} from '../session/index.ts';
import { InvitationPage, ProviderCallbackPage, SignInPage } from '../sign-in/index.ts';
import { strings } from '../strings/index.ts';
import { Empty, Failed, PagePart } from '../ui/index.ts';
import { DemoBanner } from './demo-banner.tsx';
import { router } from './router.tsx';
import './styles.css';

const dashboards = () => import('../dashboards/index.ts');

interface Props {
  readonly authentication: Authentication;
  readonly queries: QueryClient;
}

export function App({ authentication, queries }: Props) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      <QueryClientProvider client={queries}>
        <AuthenticationProvider authentication={authentication}>
          {/* Notifications must not cover the buttons of dialogs, which are at the right. */}
          <Notifications position="bottom-left" limit={5} />
          <DemoBanner />
          <Root />
        </AuthenticationProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Without a session every URL shows the sign-in page. */
function Root() {
  const isSignedIn = useIsSignedIn();
  // A shared board is the same for everyone, signed in or not.
  if (window.location.pathname === '/shared') {
    return (
      <PagePart name="dashboards" load={dashboards} loading={<Starting />}>
        {({ SharedPage }) => <SharedPage />}
      </PagePart>
    );
  }
  if (isSignedIn) return <SignedIn />;
  const { pathname, search } = window.location;
  if (pathname === '/invitation') return <InvitationPage />;
  return pathname === CALLBACK_PATH && search !== '' ? <ProviderCallbackPage /> : <SignInPage />;
}

function SignedIn() {
  const { data: me, error, refetch } = useMe();
  if (me) {
    const noOrganization = (
      <Container size="sm" p="md" component="main">
        <Empty title={strings.app.noOrganization.title}>{strings.app.noOrganization.text}</Empty>
        <Invitations />
      </Container>
    );
    return (
      <SessionProvider me={me} noOrganization={noOrganization}>
        <LiveProvider>
          <RouterProvider router={router} />
        </LiveProvider>
      </SessionProvider>
    );
  }
  return (
    <Center mih="100dvh" p="md" component="main">
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loader aria-label={strings.ui.loading} />
      )}
    </Center>
  );
}

function Starting() {
  return (
    <Center mih="100dvh" p="md" component="main">
      <Loader aria-label={strings.ui.loading} />
    </Center>
  );
}
