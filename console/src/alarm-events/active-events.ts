import { useNow } from '../runtime/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { byUrgency } from './condition.ts';

const DAY_MS = 24 * 60 * 60_000;
/** More than a user reads; the reply has the total count in any case. */
const MAX_EVENTS = 500;

/** The active events, most severe first. Read again by the clock and when the stream reports an alarm. */
export function useActiveEvents() {
  const { may } = useSession();
  const now = useNow();
  const query = useRead(
    'listAlarmHistory',
    { body: { startTime: now, endTime: now + DAY_MS, take: MAX_EVENTS } },
    { keepsPrevious: true, enabled: may('ReadAlarmConfigurations') },
  );
  const open = query.data?.items.filter(({ clearedDateTime }) => clearedDateTime === null);
  return { query, events: open?.toSorted(byUrgency) };
}
