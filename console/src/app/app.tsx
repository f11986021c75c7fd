import { Center, Container, Loader, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { InvitationPage, ProviderReturnPage, SignInPage } from '../entrance/index.ts';
import { Invitations } from '../invitations/index.ts';
import { LiveProvider } from '../live/index.ts';
import {
  type Door,
  DoorProvider,
  RETURN_PATH,
  SessionProvider,
  useIsSignedIn,
  useMe,
} from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Empty, Failed } from '../ui/index.ts';
import { DemoBanner } from './demo-banner.tsx';
import { router } from './router.tsx';
import './styles.css';
import { colorSchemeManager, theme } from './theme.ts';

interface Given {
  readonly door: Door;
  readonly queries: QueryClient;
}

export function App({ door, queries }: Given) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      <QueryClientProvider client={queries}>
        <DoorProvider door={door}>
          {/* The buttons of dialogs are at the right; what is told must not lie on them. */}
          <Notifications position="bottom-left" limit={5} />
          <DemoBanner />
          <Gate />
        </DoorProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Who is not signed in sees the entrance, at whatever address. */
function Gate() {
  const isSignedIn = useIsSignedIn();
  if (isSignedIn) return <SignedIn />;
  const { pathname, search } = window.location;
  if (pathname === '/invitation') return <InvitationPage />;
  return pathname === RETURN_PATH && search !== '' ? <ProviderReturnPage /> : <SignInPage />;
}

function SignedIn() {
  const { data: me, error, refetch } = useMe();
  if (me) {
    const nowhere = (
      <Container size="sm" p="md" component="main">
        <Empty title={strings.app.noOrganization.title}>{strings.app.noOrganization.text}</Empty>
        <Invitations />
      </Container>
    );
    return (
      <SessionProvider me={me} nowhere={nowhere}>
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
