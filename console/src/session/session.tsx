import { type Client, FieldwatchError } from '@fieldwatch/client';
import type { Operations, Permission, ReplyBody } from '@fieldwatch/contract';
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
import { keep, readKept } from '../runtime/index.ts';
import type { Door, SignInOptions } from './door.ts';

export type Me = ReplyBody<Operations['retrieveMe']>;
type Organization = Me['organizations'][number];

/** Who is signed in, where, and what they may do there. */
export interface Session {
  readonly client: Client;
  readonly me: Me;
  readonly organization: Organization;
  may(permission: Permission): boolean;
  chooseOrganization(id: string): void;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session here');
  return session;
}

const DoorContext = createContext<Door | null>(null);

const OptionsContext = createContext<SignInOptions | undefined>(undefined);
const ASK_AGAIN_MS = 5_000;

/** Asked once: it does not change while the server runs, nor with who is signed in. */
function useOptionsOf({ options }: Door): SignInOptions | undefined {
  const [known, setKnown] = useState<SignInOptions>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isShown = true;
    const ask = () => {
      options().then(
        (answer) => isShown && setKnown(answer),
        () => {
          if (isShown) timer = setTimeout(ask, ASK_AGAIN_MS);
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

export function DoorProvider({ door, children }: { door: Door; children: ReactNode }) {
  return (
    <DoorContext value={door}>
      <OptionsContext value={useOptionsOf(door)}>{children}</OptionsContext>
    </DoorContext>
  );
}

export function useDoor(): Door {
  const door = useContext(DoorContext);
  if (!door) throw new Error('there is no door here');
  return door;
}

export function useIsSignedIn(): boolean {
  const { onChange, isSignedIn } = useDoor();
  return useSyncExternalStore(onChange, isSignedIn);
}

/** What the server tells everybody; undefined until it has. */
export function useSignInOptions(): SignInOptions | undefined {
  return useContext(OptionsContext);
}

/** Who the server says we are. Asked again now and then: roles change. */
export function useMe() {
  const { client } = useDoor();
  return useQuery({
    queryKey: ['retrieveMe'],
    queryFn: ({ signal }) => client.retrieveMe({ signal }),
    retry: (failures, error) => failures < 3 && !(error instanceof FieldwatchError),
    staleTime: 60_000,
  });
}

function chosenOf(me: Me, id: string | null): Organization | undefined {
  return me.organizations.find((each) => each.id === id) ?? me.organizations[0];
}

interface Given {
  readonly me: Me;
  readonly children: ReactNode;
  /** Shown to somebody who belongs to no organization. */
  readonly nowhere: ReactNode;
}

export function SessionProvider({ me, children, nowhere }: Given) {
  const [chosenId, setChosenId] = useState(() => readKept('organization'));
  const organization = chosenOf(me, chosenId);
  const queries = useQueryClient();
  const { client, onChange, isSignedIn } = useDoor();

  const signOut = useCallback(async () => {
    await client.signOut().catch(() => undefined);
    queries.clear();
  }, [client, queries]);

  const session = useMemo<Session | null>(() => {
    if (!organization) return null;
    const held = new Set<Permission>(organization.permissions);
    return {
      client,
      me,
      organization,
      may: (permission) => held.has(permission),
      chooseOrganization(id) {
        keep('organization', id);
        setChosenId(id);
      },
      signOut,
    };
  }, [client, me, organization, signOut]);

  useEffect(() => {
    // What another person saw must not be shown to the next one.
    return onChange(() => {
      if (!isSignedIn()) queries.clear();
    });
  }, [onChange, isSignedIn, queries]);

  if (!session) return nowhere;
  return <SessionContext value={session}>{children}</SessionContext>;
}
