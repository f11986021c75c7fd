import { useCallback, useMemo } from 'react';
import { useLocations, useSites } from '../../references/index.ts';
import { type AlarmEvent, useRead } from '../../service/index.ts';
import { useSession } from '../../session/index.ts';
import { strings } from '../../strings/index.ts';
import { type AlarmFacts, NO_SITE } from './filters.ts';

const MAX_RECORDS = 1_000;
/** The stream reports assignments, and shelving is rare. */
const REFRESH_MS = 30_000;

/** What a row shows besides the event. */
export interface RowFacts extends AlarmFacts {
  readonly shelvedUntil: string | null;
  readonly assigneeName: string | null;
}

export interface Facts {
  readonly factsOf: (event: AlarmEvent) => RowFacts;
  /** Until all are known, alarms would be listed at another site, or although they are shelved. */
  readonly isLoading: boolean;
}

/** Site, shelving and assignment of each active alarm. */
export function useFacts(): Facts {
  const { me } = useSession();
  const sites = useSites();
  const locations = useLocations();
  const [shelved, isLoadingShelved] = useShelved();
  const [assignments, isLoadingAssignments] = useAssignments();
  const factsOf = useCallback(
    ({ id, alarmId, locationId }: AlarmEvent): RowFacts => {
      const site = locationId === null ? undefined : sites.get(locationId);
      const shelvedUntil = shelved.get(alarmId) ?? null;
      const assignment = assignments.get(id);
      const name = assignment && (assignment.name ?? assignment.email);
      return {
        siteId: site?.id ?? NO_SITE,
        siteName: site?.name ?? strings.activeAlarms.noSite,
        isShelved: shelvedUntil !== null,
        shelvedUntil,
        assigneeId: assignment?.userId ?? null,
        assigneeName: assignment?.userId === me.id ? strings.activeAlarms.me : (name ?? null),
      };
    },
    [sites, shelved, assignments, me.id],
  );
  const isLoading = locations.isLoading || isLoadingShelved || isLoadingAssignments;
  return { factsOf, isLoading };
}

/** Until when the Alarms with an active event are shelved, by id, and whether this is loading. */
function useShelved() {
  const { data, isLoading } = useRead(
    'searchAlarms',
    { body: { isTriggered: true, take: MAX_RECORDS } },
    { refetchIntervalMs: REFRESH_MS },
  );
  const shelved = useMemo(
    () =>
      new Map(
        (data?.items ?? []).flatMap(({ id, shelving }) =>
          shelving ? [[id, shelving.untilDateTime] as const] : [],
        ),
      ),
    [data],
  );
  return [shelved, isLoading] as const;
}

/** The assignments by event, and whether they are loading. */
function useAssignments() {
  const { data, isLoading } = useRead(
    'listAlarmAssignments',
    { query: { take: MAX_RECORDS } },
    { refetchIntervalMs: REFRESH_MS },
  );
  const assignments = useMemo(
    () => new Map((data?.items ?? []).map((assignment) => [assignment.eventId, assignment])),
    [data],
  );
  return [assignments, isLoading] as const;
}
