import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import type { DeviceHandlerDeps } from '../deps.ts';
import { type FilteredSearch, searchDevices } from './store.ts';

/** Searches the database, with presence as it is recorded there; see record 59. */
export function filteredSearch(deps: DeviceHandlerDeps): Handler<Operations['searchDevices']> {
  const { storage, recordFor, recordedPresence } = deps;
  return async ({ params: { organizationId }, body }, { caller }) => {
    const filter: FilteredSearch = {
      search: body.search ?? '',
      types: body.types ?? [],
      states: body.states ?? [],
      locationIds: body.locationIds ?? [],
      parentDeviceIds: body.parentDeviceId === undefined ? [] : [body.parentDeviceId],
      lastSeenBefore: body.lastSeenBefore ?? null,
      lastSeenAfter: body.lastSeenAfter ?? null,
      archivedScope: body.archivedScope,
      sortBy: body.sortBy,
      isDescending: body.sortDirection === 'DESCENDING',
    };
    if (filter.states.length > 0) await recordedPresence.states();
    if (needsLastSeen(filter)) await recordedPresence.lastSeen();
    const { count, rows } = await searchDevices(storage, organizationId, filter, body);
    return { body: { count, items: rows.map(recordFor(caller, organizationId)) } };
  };
}

function needsLastSeen({ states, sortBy, lastSeenBefore, lastSeenAfter }: FilteredSearch): boolean {
  return (
    sortBy === 'LAST_SEEN' ||
    lastSeenBefore !== null ||
    lastSeenAfter !== null ||
    states.some((state) => state === 'OFFLINE' || state === 'NEVER_SEEN')
  );
}
