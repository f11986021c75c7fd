import { IconCircleCheck } from '@tabler/icons-react';
import { useOpenEvents } from '../alarm-events/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';

/** The worst that is open at a Location. */
export function LocationState({ id }: { id: string }) {
  const { events = [] } = useOpenEvents();
  const worst = events.find(({ locationId }) => locationId === id);
  return worst ? (
    <SeverityBadge severity={worst.severity} />
  ) : (
    <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
      {strings.locations.fine}
    </StateBadge>
  );
}
