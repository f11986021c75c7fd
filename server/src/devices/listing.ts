import { type DeviceType, deviceTypesOf } from '@fieldwatch/contract';
import { invalid } from '../runtime/index.ts';
import type { Cursors } from './cursor.ts';
import type { DeviceHandlerDeps, Devices } from './deps.ts';
import * as store from './store.ts';

/** A search is answered from memory where that is possible, else by the database. */
export function list(deps: DeviceHandlerDeps): Devices['list'] {
  const { storage, recordFor, search, appKeys } = deps;
  return async ({ params: { organizationId }, query }, { caller }) => {
    const filter = {
      search: query.search ?? '',
      types: query.type === undefined ? null : (deviceTypesOf(query.type) as DeviceType[]),
      parentDeviceId: query.parentDeviceId ?? null,
      archivedScope: query.archivedScope,
    };
    if (filter.search !== '' && filter.parentDeviceId === null) {
      const { skip, take } = query;
      const showsKeys = appKeys.isShownTo(caller, organizationId);
      const json = await search.find(organizationId, { ...filter, skip, take }, { showsKeys });
      if (json) return { json };
    }
    const { count, rows } = await store.listDevices(storage, organizationId, filter, query);
    return { body: { count, items: rows.map(recordFor(caller, organizationId)) } };
  };
}

export function listByCursor(
  { storage, recordFor }: DeviceHandlerDeps,
  cursors: Cursors,
): Devices['listByCursor'] {
  return async ({ params: { organizationId }, query }, { caller }) => {
    const { cursor, limit, search = '' } = query;
    const listing = [organizationId, search];
    const behind = cursor === undefined ? undefined : cursors.read(listing, cursor);
    if (cursor !== undefined && !behind) {
      throw invalid({ path: 'cursor', message: 'is not a cursor of this listing' });
    }
    // One row more than requested shows whether there is a next page.
    const rows = await store.listDevicesBehind(storage, organizationId, behind, {
      search,
      limit: limit + 1,
    });
    const data = rows.slice(0, limit);
    const last = rows.length > limit ? data.at(-1) : undefined;
    return {
      body: {
        data: data.map(recordFor(caller, organizationId)),
        nextCursor: last ? cursors.write(listing, last) : null,
      },
    };
  };
}
