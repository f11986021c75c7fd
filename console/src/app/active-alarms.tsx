import { Link } from '@tanstack/react-router';
import { IconBell } from '../icons/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { countText, StateBadge } from '../ui/index.ts';

/** The number of active alarms, on every page. */
export function ActiveAlarms() {
  const { may } = useSession();
  const { data } = useRead(
    'searchAlarms',
    { body: { isTriggered: true, take: 1 } },
    { enabled: may('ReadAlarmConfigurations'), refetchIntervalMs: 30_000 },
  );
  if (!data || data.count === 0) return null;
  return (
    <Link to="/alarms" className="unlinked" aria-label={strings.app.activeAlarms(data.count)}>
      <StateBadge tone="bad" icon={<IconBell aria-hidden />}>
        {countText(data.count)}
      </StateBadge>
    </Link>
  );
}
