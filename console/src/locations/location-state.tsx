import type { Severity } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { ActiveAlarms, ClearedAlarms, useActiveEvents } from '../alarm-events/index.ts';
import { IconCircleCheck } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';
import { eventsAt, severityByLocation, withDescendants } from './location-severity.ts';

/** As many as a search for alarms takes. */
const MAX_LOCATIONS = 200;

/** What the state of Locations comes from. */
function useSources() {
  const { may } = useSession();
  const { events } = useActiveEvents();
  const { data: locations } = useLocations();
  const { data: assets } = useRead(
    'listAssets',
    { query: { take: 1000 } },
    { staleMs: 60_000, enabled: may('ReadAssets') },
  );
  return { locations: locations?.items, assets: assets?.items, events };
}

/** The most severe active alarm at each Location. */
export function useWorstByLocation(): ReadonlyMap<string, Severity> {
  const { locations, assets, events } = useSources();
  return useMemo(
    () => severityByLocation(locations ?? [], assets ?? [], events ?? []),
    [locations, assets, events],
  );
}

/** The active alarms that the state of the Location comes from. */
export function LocationAlarms({ id }: { id: string }) {
  const { locations = [], assets = [], events = [] } = useSources();
  return <ActiveAlarms events={eventsAt(id, locations, assets, events)} showsDevice />;
}

/** What was cleared lately at the Location and below it. */
export function ClearedAtLocation({ id }: { id: string }) {
  const { data } = useLocations();
  const locationIds = withDescendants(id, data?.items ?? []).slice(0, MAX_LOCATIONS);
  return <ClearedAlarms search={{ locationIds }} showsDevice />;
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
