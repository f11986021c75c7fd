import { type RefObject, useMemo, useState } from 'react';
import { byUrgency } from '../../alarm-events/index.ts';
import { useSteppedNow } from '../../runtime/index.ts';
import type { AlarmEvent } from '../../service/index.ts';
import { useSession } from '../../session/index.ts';
import type { Facts, RowFacts } from './facts.ts';
import { type AlarmFilters, matches } from './filters.ts';
import { arrangedBySite } from './groups.ts';
import { useHold } from './hold.ts';
import { NO_ROWS, type ShownRow, updateRows } from './shown-rows.ts';
import type { Choice } from './toolbar.tsx';

/** The steps in which rows of cleared alarms disappear. */
const STEP_MS = 2_000;

export interface WorkList {
  readonly rows: readonly ShownRow[];
  readonly waitingCount: number;
  readonly matchingCount: number;
  /** Shelved alarms that match but are left out. */
  readonly hiddenShelvedCount: number;
  readonly sites: readonly Choice[];
  readonly devices: readonly Choice[];
  readonly factsOf: (event: AlarmEvent) => RowFacts;
  readonly isActive: (event: AlarmEvent) => boolean;
  readonly showNew: () => void;
}

/** The rows of the list for these filters; while a user works in the list, no row moves. */
export function useWorkList(
  events: readonly AlarmEvent[],
  filters: AlarmFilters,
  list: RefObject<HTMLElement | null>,
  factsOf: Facts['factsOf'],
): WorkList {
  const { me } = useSession();
  const nowMs = useSteppedNow(STEP_MS);
  const isHeld = useHold(list);
  const scope = JSON.stringify(filters);
  const [state, setState] = useState({ scope, shown: NO_ROWS });
  const active = useMemo(() => new Map(events.map((event) => [event.id, event])), [events]);
  const isMatch = (event: AlarmEvent) => matches(filters, event, factsOf(event), me.id);
  const matching = events.filter(isMatch);
  const hidden = filters.shelved
    ? []
    : events.filter((event) =>
        matches({ ...filters, shelved: 'ONLY' }, event, factsOf(event), me.id),
      );
  const arrange = (given: readonly AlarmEvent[]) =>
    filters.grouping === 'flat'
      ? given.toSorted(byUrgency)
      : arrangedBySite(given, (event) => factsOf(event).siteId);
  const update = { matching, active, arrange, nowMs };
  // Other filters make another list, in which nothing has a place yet.
  const before = state.scope === scope ? state.shown : NO_ROWS;
  const shown = updateRows(before, { ...update, isHeld });
  if (shown !== state.shown || state.scope !== scope) setState({ scope, shown });
  const { rows, waitingCount } = shown;
  return {
    rows,
    waitingCount,
    matchingCount: matching.length,
    hiddenShelvedCount: hidden.length,
    ...useChoices(events, factsOf),
    factsOf,
    isActive: ({ id }) => active.has(id),
    showNew: () => setState({ scope, shown: updateRows(shown, { ...update, isHeld: false }) }),
  };
}

/** The sites and Devices of the active alarms, by name. */
function useChoices(events: readonly AlarmEvent[], factsOf: WorkList['factsOf']) {
  return useMemo(() => {
    const sites = new Map<string, string>();
    const devices = new Map<string, string>();
    for (const event of events) {
      const { siteId, siteName } = factsOf(event);
      sites.set(siteId, siteName);
      devices.set(event.deviceId, event.deviceName);
    }
    return { sites: choicesOf(sites), devices: choicesOf(devices) };
  }, [events, factsOf]);
}

function choicesOf(names: ReadonlyMap<string, string>): readonly Choice[] {
  return [...names]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
