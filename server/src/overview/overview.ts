import { MAX_OFFLINE_DEVICES, type Operations, type OverviewWarning } from '@fieldwatch/contract';
import type { Handler } from '../http/index.ts';
import type { RecordedPresence } from '../presence/index.ts';
import { isoDateTime } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { createSiteList } from './sites/index.ts';
import { countAll, listOffline } from './store.ts';

/** The counts of an organization, the first of its offline Devices, and its sites. */
export interface Overview {
  readonly retrieve: Handler<Operations['retrieveOverview']>;
  readonly listSites: Handler<Operations['listSites']>;
}

interface OverviewDeps {
  readonly storage: Storage;
  readonly recordedPresence: Pick<RecordedPresence, 'states'>;
  readonly warnings: () => readonly OverviewWarning[];
  /** Warnings about nodes, for those who may see nodes. */
  readonly nodeWarnings: () => readonly OverviewWarning[];
}

export function createOverview(deps: OverviewDeps): Overview {
  const { storage } = deps;
  return {
    listSites: createSiteList(deps),
    async retrieve({ params: { organizationId } }, { caller }) {
      const counts = await countAll(storage, organizationId);
      const offline = await listOffline(storage, organizationId, MAX_OFFLINE_DEVICES);
      const offlineDevices = offline.map(({ id, name, lastSeenAt }) => ({
        id,
        name,
        lastSeenDateTime: lastSeenAt === null ? null : isoDateTime(lastSeenAt),
      }));
      const maySeeNodes = caller.permissionsIn(organizationId)?.has('ReadNodes') ?? false;
      const warnings = [...deps.warnings(), ...(maySeeNodes ? deps.nodeWarnings() : [])];
      return { body: { ...counts, offlineDevices, ...(warnings.length > 0 && { warnings }) } };
    },
  };
}
