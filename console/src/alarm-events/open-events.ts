import { useNow } from '../runtime/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { byUrgency } from './condition.ts';

const DAY_MS = 24 * 60 * 60_000;
/** More than anybody reads; how many there are is told in any case. */
const MOST = 500;

/** The events that are open now, worst first. Asked again by the clock, and when an alarm is told of. */
export function useOpenEvents() {
  const { may } = useSession();
  const now = useNow();
  const query = useRead(
    'listAlarmHistory',
    { body: { startTime: now, endTime: now + DAY_MS, take: MOST } },
    { keepsPrevious: true, enabled: may('ReadAlarmConfigurations') },
  );
  const open = query.data?.items.filter(({ clearedDateTime }) => clearedDateTime === null);
  return { query, events: open?.toSorted(byUrgency) };
}
