import { MAX_OFFLINE_DEVICES, type Operations, type OverviewWarning } from '@fieldwatch/contract';
import type { Handler } from '../http/index.ts';
import { isoDateTime } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { countAll, listOffline } from './store.ts';

/** The counts of an organization, and the first of its offline Devices. */
export interface Overview {
  readonly retrieve: Handler<Operations['retrieveOverview']>;
}

interface OverviewDeps {
  readonly storage: Storage;
  readonly warnings: () => readonly OverviewWarning[];
  /** Warnings about nodes, for those who may see nodes. */
  readonly nodeWarnings: () => readonly OverviewWarning[];
}

export function createOverview(deps: OverviewDeps): Overview {
  const { storage } = deps;
  return {
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
