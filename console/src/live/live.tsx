import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { nowMs } from '../runtime/index.ts';
import { type Device, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { followStream, type LiveState } from './follow.ts';
import { createSignal, type Signal } from './signal.ts';
import { createValues, type LiveValue, type Values } from './values.ts';

/** Whether a Device is there, as far as the stream told. */
type Presence = Pick<Device, 'isOnline' | 'lastSeenDateTime'>;

interface Live {
  readonly state: Signal<LiveState>;
  /** Since when nothing came; null while the line is up. */
  readonly lostSince: Signal<number | null>;
  readonly values: Values;
  readonly presences: Signal<ReadonlyMap<string, Presence>>;
}

const LiveContext = createContext<Live | null>(null);

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('there is no stream here');
  return live;
}

/** One stream for the whole console, open as long as somebody is signed in. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const live = useMemo<Live>(
    () => ({
      state: createSignal<LiveState>('connecting'),
      lostSince: createSignal<number | null>(nowMs()),
      values: createValues(),
      presences: createSignal<ReadonlyMap<string, Presence>>(new Map()),
    }),
    [],
  );
  useEffect(() => {
    live.values.clear();
    live.presences.set(new Map());
    return followStream(client, organization.id, {
      onState(state) {
        live.state.set(state);
        live.lostSince.set(state === 'live' ? null : (live.lostSince.read() ?? nowMs()));
      },
      onReadings(readings) {
        for (const { variableId, ...value } of readings) live.values.offer(variableId, value);
      },
      onDevice({ deviceId, ...presence }) {
        live.presences.set(new Map(live.presences.read()).set(deviceId, presence));
      },
      // What was missed while the line was down is read again, as is what an alarm changes.
      onStale: (ids) =>
        void queries.invalidateQueries(
          ids === 'everything' ? {} : { predicate: ({ queryKey }) => ids.has(String(queryKey[0])) },
        ),
    });
  }, [client, organization.id, live, queries]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLiveState(): LiveState {
  const { state } = useLive();
  return useSyncExternalStore(state.subscribe, state.read);
}

/** Since when what is seen may be old, in epoch milliseconds; null while the line is up. */
export function useLostSince(): number | null {
  const { lostSince } = useLive();
  return useSyncExternalStore(lostSince.subscribe, lostSince.read);
}

/** The newest value of a Variable that is known here; `useLatest` sees to it that one is. */
export function useLiveValue(variableId: string): LiveValue | undefined {
  const { values } = useLive();
  return useSyncExternalStore(
    (listener) => values.subscribe(variableId, listener),
    () => values.read(variableId),
  );
}

/** A Device with its presence of this moment. */
export function usePresence<D extends Pick<Device, 'id' | 'isOnline' | 'lastSeenDateTime'>>(
  device: D,
): D {
  const { presences } = useLive();
  const presence = useSyncExternalStore(presences.subscribe, () => presences.read().get(device.id));
  return presence ? { ...device, ...presence } : device;
}

/** At most this many ids fit one question. */
const MAX_IDS = 200;

/** Reads the newest values of these Variables once; the stream keeps them new. */
export function useLatest(variableIds: readonly string[]) {
  const { values } = useLive();
  const ids = variableIds.slice(0, MAX_IDS);
  const query = useRead(
    'listLatestValues',
    { query: { ids: [...ids] } },
    { enabled: ids.length > 0 },
  );
  useEffect(() => {
    for (const { variableId, ...value } of query.data?.items ?? []) values.offer(variableId, value);
  }, [query.data, values]);
  return query;
}
