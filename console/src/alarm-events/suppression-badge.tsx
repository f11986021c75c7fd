import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconBellOff } from '../icons/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import { maintenance as words } from '../strings/index.ts';
import { StateBadge } from '../ui/index.ts';

/** Why the notification of an event was held back, with a link to the cause. */
export function SuppressionBadge({ event: { suppression } }: { event: AlarmEvent }) {
  if (!suppression) return null;
  const { kind, id } = suppression;
  const to = kind === 'TOPOLOGY' ? `/alarms/events/${id}` : `/alarms/maintenance/${id}`;
  return (
    <Tooltip label={words.suppressedHints[kind]} multiline>
      <Link to={to} style={{ textDecoration: 'none' }}>
        <StateBadge tone="shelved" icon={<IconBellOff aria-hidden />}>
          {words.suppressed[kind]}
        </StateBadge>
      </Link>
    </Tooltip>
  );
}
