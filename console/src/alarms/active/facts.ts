import { useCallback, useMemo } from 'react';
import { useSites } from '../../references/index.ts';
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

/** Site, shelving and assignment of each active alarm. */
export function useFacts(): (event: AlarmEvent) => RowFacts {
  const { me } = useSession();
  const sites = useSites();
  const shelved = useShelved();
  const assignments = useAssignments();
  return useCallback(
    ({ id, alarmId, locationId }) => {
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
}

/** Until when the Alarms with an active event are shelved, by id. */
function useShelved(): ReadonlyMap<string, string> {
  const { data } = useRead(
    'searchAlarms',
    { body: { isTriggered: true, take: MAX_RECORDS } },
    { refetchIntervalMs: REFRESH_MS },
  );
  return useMemo(
    () =>
      new Map(
        (data?.items ?? []).flatMap(({ id, shelving }) =>
          shelving ? [[id, shelving.untilDateTime] as const] : [],
        ),
      ),
    [data],
  );
}

function useAssignments() {
  const { data } = useRead(
    'listAlarmAssignments',
    { query: { take: MAX_RECORDS } },
    { refetchIntervalMs: REFRESH_MS },
  );
  return useMemo(
    () => new Map((data?.items ?? []).map((assignment) => [assignment.eventId, assignment])),
    [data],
  );
}
