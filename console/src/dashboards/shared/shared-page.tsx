import { createClient, FieldwatchError } from '@fieldwatch/client';
import { SHARE_SECRET_PREFIX, type SharedDashboard } from '@fieldwatch/contract';
import { Center, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { IconLinkOff } from '../../icons/index.ts';
import { LiveProvider } from '../../live/index.ts';
import { FixedSession, type Session } from '../../session/index.ts';
import { strings } from '../../strings/index.ts';
import { Empty, Failed } from '../../ui/index.ts';
import { Board } from '../board.tsx';
import { BoardViewContext } from '../board-view.tsx';
import { viewOf } from '../shown-board.tsx';
import { Wall } from '../wall.tsx';
import { createSharedClient, type EndReason, endOf } from './shared-client.ts';

const words = strings.dashboards.shared;

/** The secret of the link, which is in the fragment and so in no request line and no log. */
function secretIn(hash: string): string {
  const text = hash.replace(/^#/, '');
  return text.startsWith(SHARE_SECRET_PREFIX) ? text : '';
}

function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A board that is shared by a link, without a session. */
export function SharedPage() {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const onHash = () => setHash(window.location.hash);
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);
  const secret = secretIn(hash);
  return secret === '' ? <Ended reason="revoked" /> : <Shared key={secret} secret={secret} />;
}

const MIN_RETRY_MS = 5_000;

/** Loads the board, and tries again while the service cannot be reached. */
function Shared({ secret }: { secret: string }) {
  const client = useMemo(
    () => createClient({ baseUrl: window.location.origin, credentials: { accessToken: secret } }),
    [secret],
  );
  const [board, setBoard] = useState<SharedDashboard | null>(null);
  const [end, setEnd] = useState<EndReason | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const load = async () => {
      while (!leaving.signal.aborted) {
        try {
          setBoard(await client.retrieveSharedDashboard({ signal: leaving.signal }));
          return;
        } catch (error) {
          if (leaving.signal.aborted) return;
          const ended = endOf(error);
          if (ended) return setEnd(ended);
          setFailure(error);
          const seconds = error instanceof FieldwatchError ? (error.retryAfterSeconds ?? 0) : 0;
          await pauseFor(Math.max(MIN_RETRY_MS, seconds * 1_000), leaving.signal);
        }
      }
    };
    void load();
    return () => leaving.abort();
  }, [client]);
  if (end) return <Ended reason={end} />;
  if (board) {
    return <SharedSession client={client} board={board} onBoard={setBoard} onEnded={setEnd} />;
  }
  return (
    <Center mih="100dvh" p="md" component="main">
      {failure ? <Failed error={failure} /> : <Loader aria-label={strings.ui.loading} />}
    </Center>
  );
}

interface SessionProps {
  readonly client: ReturnType<typeof createClient>;
  readonly board: SharedDashboard;
  readonly onBoard: (board: SharedDashboard) => void;
  readonly onEnded: (reason: EndReason) => void;
}

/** A share link belongs to no organization that its user may see. */
const NO_ORGANIZATION: Session['organization'] = {
  id: 'shared',
  name: '',
  role: 'VIEWER',
  permissions: [],
};

/** The widgets read through a session that knows the operations of the link alone. */
function SharedSession({ client, board, onBoard, onEnded }: SessionProps) {
  const queries = useQueryClient();
  const [current] = useState({ board });
  current.board = board;
  const session = useMemo((): Session => {
    const shared = createSharedClient({
      client,
      board: () => current.board,
      async onChanged() {
        current.board = await client.retrieveSharedDashboard({});
        onBoard(current.board);
        await queries.invalidateQueries();
      },
      onEnded,
      pause: pauseFor,
    });
    return {
      client: shared,
      me: { id: '', email: '', name: null, organizations: [] },
      organization: NO_ORGANIZATION,
      may: (permission) => permission === 'ReadAlarmConfigurations' || permission === 'ReadAssets',
      selectOrganization: () => undefined,
      signOut: async () => undefined,
    };
  }, [client, current, onBoard, onEnded, queries]);
  const router = useMemo(() => sharedRouter(() => current.board), [current]);
  return (
    <FixedSession session={session}>
      <LiveProvider>
        <RouterProvider router={router} key={board.revision} />
      </LiveProvider>
    </FixedSession>
  );
}

/** Charts take their view from the URL, so there is a router, of one page. */
function sharedRouter(board: () => SharedDashboard) {
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: '/shared',
    component: () => <SharedWall board={board()} />,
  });
  return createRouter({ routeTree: root.addChildren([page]) });
}

function SharedWall({ board }: { board: SharedDashboard }) {
  const { name, configuration, refreshIntervalSeconds } = board;
  useEffect(() => {
    document.title = `${name} · ${strings.app.name}`;
  }, [name]);
  const view = useMemo(
    () => ({
      ...viewOf(configuration, refreshIntervalSeconds, {}),
      hasLinks: false,
      isShared: true,
    }),
    [configuration, refreshIntervalSeconds],
  );
  return (
    <BoardViewContext value={view}>
      <Wall name={name}>
        <Board widgets={configuration.widgets} />
      </Wall>
    </BoardViewContext>
  );
}

function Ended({ reason }: { reason: EndReason }) {
  useEffect(() => {
    document.title = `${words.endTitle} · ${strings.app.name}`;
  }, []);
  return (
    <Center mih="100dvh" p="md" component="main">
      <div role="alert">
        <Empty title={words.endTitle} icon={<IconLinkOff />}>
          {words.ends[reason]}
        </Empty>
      </div>
    </Center>
  );
}
