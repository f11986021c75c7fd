import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { isUnacknowledged } from '../../alarm-events/index.ts';
import {
  type AlarmEvent,
  compact,
  idsIn,
  manyIn,
  oneIn,
  type Raw,
  textIn,
} from '../../service/index.ts';

export const ACKNOWLEDGEMENTS = ['UNACKNOWLEDGED', 'ACKNOWLEDGED'] as const;
export const ASSIGNED = ['ME', 'NOBODY'] as const;
export const SHELVED = ['INCLUDED', 'ONLY'] as const;
export const GROUPINGS = ['site', 'flat'] as const;

/** The site of alarms whose Device has no Location. */
export const NO_SITE = 'none';

export interface AlarmFilters {
  readonly search?: string | undefined;
  readonly severities?: readonly Severity[] | undefined;
  readonly sites?: readonly string[] | undefined;
  readonly devices?: readonly string[] | undefined;
  readonly acknowledgement?: (typeof ACKNOWLEDGEMENTS)[number] | undefined;
  readonly assigned?: (typeof ASSIGNED)[number] | undefined;
  /** Shelved alarms are left out unless this is set. */
  readonly shelved?: (typeof SHELVED)[number] | undefined;
  readonly grouping?: (typeof GROUPINGS)[number] | undefined;
}

export function parseFilters(raw: Raw): AlarmFilters {
  return compact({
    search: textIn(raw.search),
    severities: manyIn(raw.severities, SEVERITIES),
    sites: idsIn(raw.sites),
    devices: idsIn(raw.devices),
    acknowledgement: oneIn(raw.acknowledgement, ACKNOWLEDGEMENTS),
    assigned: oneIn(raw.assigned, ASSIGNED),
    shelved: oneIn(raw.shelved, SHELVED),
    grouping: oneIn(raw.grouping, GROUPINGS),
  });
}

/** How many filters are set, without the search, which is always visible. */
export function filterCount({ search: _, grouping: __, ...filters }: AlarmFilters): number {
  return Object.keys(compact(filters)).length;
}

/** What the filters know of an alarm besides its event. */
export interface AlarmFacts {
  readonly siteId: string;
  readonly siteName: string;
  readonly isShelved: boolean;
  /** Null for nobody. */
  readonly assigneeId: string | null;
}

/** Whether an alarm matches all filters; each word of the search is in one of its names. */
export function matches(
  filters: AlarmFilters,
  event: AlarmEvent,
  facts: AlarmFacts,
  myId: string,
): boolean {
  const { severities = [], sites = [], devices = [], acknowledgement, assigned } = filters;
  const isOpen = isUnacknowledged(event);
  return (
    (severities.length === 0 || severities.includes(event.severity)) &&
    (sites.length === 0 || sites.includes(facts.siteId)) &&
    (devices.length === 0 || devices.includes(event.deviceId)) &&
    (acknowledgement === undefined || (acknowledgement === 'UNACKNOWLEDGED') === isOpen) &&
    (assigned === undefined || facts.assigneeId === (assigned === 'ME' ? myId : null)) &&
    matchesShelving(filters.shelved, facts.isShelved) &&
    matchesSearch(filters.search ?? '', event, facts)
  );
}

function matchesShelving(shelved: AlarmFilters['shelved'], isShelved: boolean): boolean {
  return shelved === 'INCLUDED' || isShelved === (shelved === 'ONLY');
}

function matchesSearch(search: string, event: AlarmEvent, { siteName }: AlarmFacts): boolean {
  const text = [event.alarmName, event.deviceName, event.deviceVariableName, siteName]
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
