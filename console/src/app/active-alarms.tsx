import { Link, useLocation } from '@tanstack/react-router';
import { IconBell } from '../icons/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { useSiteList } from '../sites/index.ts';
import { strings } from '../strings/index.ts';
import { countText, StateBadge } from '../ui/index.ts';

/** The overview shows the count too; both are then of the same reply. */
function useActiveAlarmCount(): number {
  const { may } = useSession();
  const mayRead = may('ReadAlarmConfigurations');
  const isOverview = useLocation({ select: ({ pathname }) => pathname }) === '/';
  const sites = useSiteList({ enabled: mayRead && isOverview });
  const alarms = useRead(
    'searchAlarms',
    { body: { isTriggered: true, take: 1 } },
    { enabled: mayRead && !isOverview, refetchIntervalMs: 30_000 },
  );
  return (isOverview ? sites.data?.totals.alarmCount : alarms.data?.count) ?? 0;
}

/** The number of active alarms, on every page. */
export function ActiveAlarms() {
  const count = useActiveAlarmCount();
  if (count === 0) return null;
  return (
    <Link to="/alarms" className="unlinked badge-link" aria-label={strings.app.activeAlarms(count)}>
      <StateBadge tone="bad" icon={<IconBell aria-hidden />}>
        {countText(count)}
      </StateBadge>
    </Link>
  );
}
