import type { AlarmChange } from '@fieldwatch/contract';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createSignal, nowMs, type Signal } from '../runtime/index.ts';
import {
  type AlarmEvent,
  batchesOf,
  type Device,
  keyOf,
  type Reply,
  useCall,
  useRead,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { followStream, type LiveState } from './follow.ts';
import { createValues, type LiveValue, type Values } from './values.ts';

/** The presence of a Device as last reported by the stream. */
type Presence = Pick<Device, 'isOnline' | 'lastSeenDateTime'>;

interface Live {
  readonly state: Signal<LiveState>;
  /** When the connection was lost; null while it is up. */
  readonly lostSince: Signal<number | null>;
  readonly values: Values;
  readonly presences: Signal<ReadonlyMap<string, Presence>>;
  readonly alarmListeners: Set<AlarmListener>;
}

/** Called with each change of an alarm event, as the stream reports it. */
type AlarmListener = (change: AlarmChange, event: AlarmEvent) => void;

const LiveContext = createContext<Live | null>(null);

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('there is no stream here');
  return live;
}

/** One stream for the whole console, open while a user is signed in. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { client, organization } = useSession();
  const queries = useQueryClient();
  const live = useMemo<Live>(
    () => ({
      state: createSignal<LiveState>('connecting'),
      lostSince: createSignal<number | null>(nowMs()),
      values: createValues(),
      presences: createSignal<ReadonlyMap<string, Presence>>(new Map()),
      alarmListeners: new Set(),
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
        for (const { variableId, ...value } of readings) live.values.update(variableId, value);
      },
      onDevice({ deviceId, ...presence }) {
        live.presences.set(new Map(live.presences.read()).set(deviceId, presence));
      },
      onAlarm(change, event) {
        for (const listener of live.alarmListeners) listener(change, event);
      },
      // Data missed while the connection was down is read again, as is data that an alarm changes.
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

/** When the connection was lost, in epoch milliseconds; null while it is up. */
export function useLostSince(): number | null {
  const { lostSince } = useLive();
  return useSyncExternalStore(lostSince.subscribe, lostSince.read);
}

/** The newest known value of a Variable; `useLatest` loads the first one. */
export function useLiveValue(variableId: string): LiveValue | undefined {
  const { values } = useLive();
  return useSyncExternalStore(
    (listener) => values.subscribe(variableId, listener),
    () => values.read(variableId),
  );
}

/** The newest known values of several Variables, by their ids. */
export function useLiveValues(variableIds: readonly string[]): ReadonlyMap<string, LiveValue> {
  const { values } = useLive();
  const [known, setKnown] = useState<ReadonlyMap<string, LiveValue>>(new Map());
  const ids = variableIds.join();
  useEffect(() => {
    const all = ids === '' ? [] : ids.split(',');
    const read = () =>
      setKnown(
        new Map(
          all.flatMap((id) => {
            const value = values.read(id);
            return value ? [[id, value] as const] : [];
          }),
        ),
      );
    read();
    const ends = all.map((id) => values.subscribe(id, read));
    return () => {
      for (const end of ends) end();
    };
  }, [values, ids]);
  return known;
}

/** Calls `onValue` with each newer value of these Variables. */
export function useValueListener(
  variableIds: readonly string[],
  onValue: (variableId: string, value: LiveValue) => void,
): void {
  const { values } = useLive();
  const latest = useRef(onValue);
  latest.current = onValue;
  const ids = variableIds.join();
  useEffect(() => {
    const ends = ids.split(',').map((id) =>
      values.subscribe(id, () => {
        const value = values.read(id);
        if (value) latest.current(id, value);
      }),
    );
    return () => {
      for (const end of ends) end();
    };
  }, [values, ids]);
}

/** Calls `onAlarm` with each change of an alarm event. */
export function useAlarmListener(onAlarm: AlarmListener): void {
  const { alarmListeners } = useLive();
  const latest = useRef(onAlarm);
  latest.current = onAlarm;
  useEffect(() => {
    const listener: AlarmListener = (change, event) => latest.current(change, event);
    alarmListeners.add(listener);
    return () => void alarmListeners.delete(listener);
  }, [alarmListeners]);
}

/** A Device with its current presence. */
export function usePresence<D extends Pick<Device, 'id' | 'isOnline' | 'lastSeenDateTime'>>(
  device: D,
): D {
  const { presences } = useLive();
  const presence = useSyncExternalStore(presences.subscribe, () => presences.read().get(device.id));
  return presence ? { ...device, ...presence } : device;
}

/** The maximum number of ids in one request. */
const MAX_IDS = 200;

/** Reads the newest values of these Variables once; the stream updates them. */
export function useLatest(variableIds: readonly string[]) {
  const { values } = useLive();
  const ids = variableIds.slice(0, MAX_IDS);
  const query = useRead(
    'listLatestValues',
    { query: { ids: [...ids] } },
    { enabled: ids.length > 0 },
  );
  // Before the browser paints: a page that waits for them shows them at once.
  useLayoutEffect(() => {
    for (const { variableId, ...value } of query.data?.items ?? [])
      values.update(variableId, value);
  }, [query.data, values]);
  return query;
}

/** Reads the newest values of any number of Variables once; the stream updates them. */
export function useLatestOfMany(variableIds: readonly string[]): void {
  const { values } = useLive();
  const { organization } = useSession();
  const call = useCall();
  const combine = useCallback(
    (results: readonly { data: Reply<'listLatestValues'> | undefined }[]) =>
      results.map(({ data }) => data),
    [],
  );
  const replies = useQueries({
    queries: batchesOf(variableIds).map((ids) => {
      const input = { query: { ids: [...ids] } };
      return {
        queryKey: keyOf(organization.id, 'listLatestValues', input),
        queryFn: (): Promise<Reply<'listLatestValues'>> => call('listLatestValues', input),
      };
    }),
    combine,
  });
  useEffect(() => {
    for (const { variableId, ...value } of replies.flatMap((reply) => reply?.items ?? []))
      values.update(variableId, value);
  }, [replies, values]);
}
