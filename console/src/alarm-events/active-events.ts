import { useMemo } from 'react';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { byUrgency } from './condition.ts';

/** More than a user reads; the reply has the total count in any case. */
const MAX_EVENTS = 1_000;
/** The stream reports changes; reading again is for those that it missed. */
const REFRESH_MS = 15_000;
/** Only an event without an end reaches this moment, so the request is the same at any time. */
const END_OF_TIME = 8_640_000_000_000_000;

/**
 * The active events, most severe first. Every figure of active alarms on a page comes from this one
 * reply, so that no two of them contradict each other.
 */
export function useActiveEvents() {
  const { may } = useSession();
  const query = useRead(
    'listAlarmHistory',
    { body: { startTime: END_OF_TIME, endTime: END_OF_TIME, take: MAX_EVENTS } },
    { refetchIntervalMs: REFRESH_MS, enabled: may('ReadAlarmConfigurations') },
  );
  const events = useMemo(() => query.data?.items.toSorted(byUrgency), [query.data]);
  return { query, events };
}
