import {
  ARCHIVED_SCOPES,
  type ArchivedScope,
  DEVICE_SORTS,
  DEVICE_TYPES,
  type DeviceSort,
  type DeviceState,
  type DeviceType,
} from '@fieldwatch/contract';
import {
  compact,
  type Input,
  manyIn,
  oneIn,
  pageIn,
  type Raw,
  sortIn,
  sortQuery,
  textIn,
} from '../service/index.ts';

export const STATE_FILTERS = ['online', 'silent', 'inactive'] as const;
export const SEEN_FILTERS = ['within-hour', 'over-hour', 'over-day', 'over-week', 'never'] as const;

type StateFilter = (typeof STATE_FILTERS)[number];
type SeenFilter = (typeof SEEN_FILTERS)[number];

export interface DeviceFilters {
  readonly search?: string | undefined;
  readonly types?: readonly DeviceType[] | undefined;
  readonly state?: StateFilter | undefined;
  readonly seen?: SeenFilter | undefined;
  readonly locationId?: string | undefined;
  readonly scope?: ArchivedScope | undefined;
  readonly sort?: DeviceSort | `-${DeviceSort}` | undefined;
  readonly page?: number | undefined;
}

export function parseDeviceFilters(raw: Raw): DeviceFilters {
  return compact({
    search: textIn(raw.search),
    types: manyIn(raw.types, DEVICE_TYPES),
    state: oneIn(raw.state, STATE_FILTERS),
    seen: oneIn(raw.seen, SEEN_FILTERS),
    locationId: textIn(raw.locationId),
    scope: oneIn(raw.scope, ARCHIVED_SCOPES),
    sort: sortIn(raw.sort, DEVICE_SORTS),
    page: pageIn(raw.page),
  });
}

const HOUR_MS = 3_600_000;
const SEEN_MS = {
  'within-hour': HOUR_MS,
  'over-hour': HOUR_MS,
  'over-day': 24 * HOUR_MS,
  'over-week': 7 * 24 * HOUR_MS,
} as const;

const STATES: Readonly<Record<StateFilter, readonly DeviceState[]>> = {
  online: ['ONLINE'],
  silent: ['OFFLINE', 'NEVER_SEEN'],
  inactive: ['INACTIVE'],
};

function seenQuery(seen: SeenFilter | undefined, nowMs: number) {
  if (seen === undefined || seen === 'never') return {};
  const at = nowMs - SEEN_MS[seen];
  return seen === 'within-hour' ? { lastSeenAfter: at } : { lastSeenBefore: at };
}

/** The states of both filters: a Device that was never seen is silent, and nothing else. */
function statesOf({ state, seen }: DeviceFilters): DeviceState[] | undefined {
  if (seen === 'never') return state === undefined || state === 'silent' ? ['NEVER_SEEN'] : [];
  return state && [...STATES[state]];
}

/** The order without a choice: by name, and the longest silent first where these are listed. */
export function sortOf({ sort, state }: DeviceFilters): DeviceSort | `-${DeviceSort}` {
  return sort ?? (state === 'silent' ? 'LAST_SEEN' : 'NAME');
}

/** The search for the Devices of these filters; null where no Device can match. */
export function deviceSearch(
  filters: DeviceFilters,
  nowMs: number,
): Omit<Input<'searchDevices'>['body'], 'skip' | 'take'> | null {
  const { search, types = [], locationId, scope = 'active' } = filters;
  const states = statesOf(filters);
  if (states?.length === 0) return null;
  return {
    archivedScope: scope,
    ...(search ? { search } : {}),
    ...(types.length > 0 ? { types: [...types] } : {}),
    ...(states ? { states } : {}),
    ...(locationId ? { locationIds: [locationId] } : {}),
    ...seenQuery(filters.seen, nowMs),
    ...sortQuery(sortOf(filters)),
  };
}

export function isFiltered({ page: _, sort: __, ...filters }: DeviceFilters): boolean {
  return Object.keys(filters).length > 0;
}
