import { FieldwatchError, type FollowOptions, type LiveEvent } from '@fieldwatch/client';
import type { OperationId, Operations, Permission, ReplyBody } from '@fieldwatch/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { readStored, writeStored } from '../runtime/index.ts';
import type { Authentication, SignInOptions } from './authentication.ts';

export type Me = ReplyBody<Operations['retrieveMe']>;
type Organization = Me['organizations'][number];

/** The calls of pages, which go to the service or, on a shared board, to the few operations of its link. */
export interface SessionClient {
  readonly request: (
    id: OperationId,
    input: never,
    options?: never,
  ) => Promise<{ readonly body: unknown; readonly etag: string | null }>;
  readonly download: (id: never, input: never, options: never) => Promise<Blob>;
  followLive(
    input: { readonly organizationId: string },
    options?: FollowOptions,
  ): AsyncIterable<LiveEvent>;
}

/** The signed-in user, their organization and their permissions in it. */
export interface Session {
  readonly client: SessionClient;
  readonly me: Me;
  readonly organization: Organization;
  may(permission: Permission): boolean;
  selectOrganization(id: string): void;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session here');
  return session;
}

const AuthenticationContext = createContext<Authentication | null>(null);

const SignInOptionsContext = createContext<SignInOptions | undefined>(undefined);
const RETRY_DELAY_MS = 5_000;

/** Read once, since the options do not change while the server runs. */
function useSignInOptionsOf({ options }: Authentication): SignInOptions | undefined {
  const [known, setKnown] = useState<SignInOptions>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isShown = true;
    const ask = () => {
      options().then(
        (reply) => isShown && setKnown(reply),
        () => {
          if (isShown) timer = setTimeout(ask, RETRY_DELAY_MS);
        },
      );
    };
    ask();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [options]);
  return known;
}

export function AuthenticationProvider({
  authentication,
  children,
}: {
  authentication: Authentication;
  children: ReactNode;
}) {
  return (
    <AuthenticationContext value={authentication}>
      <SignInOptionsContext value={useSignInOptionsOf(authentication)}>
        {children}
      </SignInOptionsContext>
    </AuthenticationContext>
  );
}

export function useAuthentication(): Authentication {
  const authentication = useContext(AuthenticationContext);
  if (!authentication) throw new Error('there is no authentication here');
  return authentication;
}

export function useIsSignedIn(): boolean {
  const { onChange, isSignedIn } = useAuthentication();
  return useSyncExternalStore(onChange, isSignedIn);
}

/** The sign-in options of the server; undefined until they are loaded. */
export function useSignInOptions(): SignInOptions | undefined {
  return useContext(SignInOptionsContext);
}

/** The signed-in user, refreshed regularly since roles change. */
export function useMe() {
  const { client } = useAuthentication();
  return useQuery({
    queryKey: ['retrieveMe'],
    queryFn: ({ signal }) => client.retrieveMe({ signal }),
    retry: (failures, error) => failures < 3 && !(error instanceof FieldwatchError),
    staleTime: 60_000,
  });
}

function selectedOrganization(me: Me, id: string | null): Organization | undefined {
  return me.organizations.find((each) => each.id === id) ?? me.organizations[0];
}

/** A session without a user, for a board that is shared by a link. */
export function FixedSession({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

interface Props {
  readonly me: Me;
  readonly children: ReactNode;
  /** Shown to a user without an organization. */
  readonly noOrganization: ReactNode;
}

export function SessionProvider({ me, children, noOrganization }: Props) {
  const [selectedId, setSelectedId] = useState(() => readStored('organization'));
  const organization = selectedOrganization(me, selectedId);
  const queries = useQueryClient();
  const { client, onChange, isSignedIn } = useAuthentication();

  const signOut = useCallback(async () => {
    await client.signOut().catch(() => undefined);
    queries.clear();
  }, [client, queries]);

  const session = useMemo<Session | null>(() => {
    if (!organization) return null;
    const granted = new Set<Permission>(organization.permissions);
    return {
      client,
      me,
      organization,
      may: (permission) => granted.has(permission),
      selectOrganization(id) {
        writeStored('organization', id);
        setSelectedId(id);
      },
      signOut,
    };
  }, [client, me, organization, signOut]);

  useEffect(() => {
    // The next user must not see cached data of the previous one.
    return onChange(() => {
      if (!isSignedIn()) queries.clear();
    });
  }, [onChange, isSignedIn, queries]);

  if (!session) return noOrganization;
  return <SessionContext value={session}>{children}</SessionContext>;
}
