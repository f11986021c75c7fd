import type { Severity } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { useActiveEvents } from '../alarm-events/index.ts';
import { IconCircleCheck } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';
import { severityByLocation } from './location-severity.ts';

/** The most severe active alarm at each Location. */
export function useWorstByLocation(): ReadonlyMap<string, Severity> {
  const { may } = useSession();
  const { events } = useActiveEvents();
  const { data: locations } = useLocations();
  const { data: assets } = useRead(
    'listAssets',
    { query: { take: 1000 } },
    { staleMs: 60_000, enabled: may('ReadAssets') },
  );
  return useMemo(
    () => severityByLocation(locations?.items ?? [], assets?.items ?? [], events ?? []),
    [locations, assets, events],
  );
}

export function LocationState({ id }: { id: string }) {
  const severity = useWorstByLocation().get(id);
  return severity ? (
    <SeverityBadge severity={severity} />
  ) : (
    <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
      {strings.locations.noActiveAlarms}
    </StateBadge>
  );
}
