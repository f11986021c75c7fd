import { Link } from '@tanstack/react-router';
import { useNow } from '../runtime/index.ts';
import { type AlarmEvent, type Input, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Loaded, Panel } from '../ui/index.ts';
import { EventList } from './event-list.tsx';

const DAY_MS = 24 * 60 * 60_000;
const RECENT_DAYS = 7;
const MAX_EVENTS = 20;

interface ActiveProps {
  /** Most severe first; undefined while they are not known. */
  readonly events: readonly AlarmEvent[] | undefined;
  readonly showsDevice?: boolean;
}

/** What is wrong now. Nothing at all when nothing is. */
export function ActiveAlarms({ events = [], showsDevice = false }: ActiveProps) {
  if (events.length === 0) return null;
  return (
    <Panel title={strings.alarms.titles.active}>
      <EventList events={events} showsDevice={showsDevice} />
    </Panel>
  );
}

type Search = Pick<
  Input<'listAlarmHistory'>['body'],
  'deviceVariableIds' | 'assetIds' | 'locationIds'
>;

interface RecentProps {
  readonly search: Search;
  readonly showsDevice?: boolean;
}

/** The alarm events that were cleared in the last days, newest first. */
export function ClearedAlarms({ search, showsDevice = false }: RecentProps) {
  const { may } = useSession();
  const now = useNow();
  const isAllowed = may('ReadAlarmConfigurations');
  const startTime = now - RECENT_DAYS * DAY_MS;
  const query = useRead(
    'listAlarmHistory',
    { body: { ...search, startTime, endTime: now + DAY_MS, take: MAX_EVENTS } },
    { keepsPrevious: true, enabled: isAllowed },
  );
  if (!isAllowed) return null;
  const all = (
    <Link to="/alarms/history" className="linked">
      {strings.alarms.recent.all}
    </Link>
  );
  return (
    <Panel title={strings.alarms.recent.title} actions={all}>
      <Loaded query={query}>
        {({ items }) => {
          const cleared = items.filter(({ clearedDateTime }) => clearedDateTime !== null);
          if (cleared.length === 0) return strings.alarms.recent.none;
          return <EventList events={cleared} showsDevice={showsDevice} />;
        }}
      </Loaded>
    </Panel>
  );
}
