import {
  type Operations,
  SITE_CHANGES_HOURS,
  type Site,
  type SiteChange,
} from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import type { RecordedPresence } from '../../presence/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { type ChangeRow, listSites, NO_SITE, type SiteRow } from './store.ts';

interface SiteListDeps {
  readonly storage: Storage;
  readonly recordedPresence: Pick<RecordedPresence, 'states'>;
}

const CHANGES_MS = SITE_CHANGES_HOURS * 3_600_000;

const timeOf = (ms: number | null) => (ms === null ? null : isoDateTime(ms));
const idOf = (siteId: string) => (siteId === NO_SITE ? null : siteId);

/** The state of every site at one moment; see record 63. */
export function createSiteList(deps: SiteListDeps): Handler<Operations['listSites']> {
  const { storage, recordedPresence } = deps;
  return async ({ params: { organizationId }, query }, { caller, now }) => {
    const permissions = caller.permissionsIn(organizationId);
    const filter = {
      search: query.search ?? '',
      states: query.states ?? [],
      maySeeAlarms: permissions?.has('ReadAlarmConfigurations') ?? false,
      changedSince: now - CHANGES_MS,
    };
    await recordedPresence.states();
    const found = await listSites(storage, organizationId, filter, query);
    const { count, sites, changes, ...totals } = found;
    return {
      body: { count, items: sites.map(siteOf), totals, changes: changes.map(changeOf) },
    };
  };
}

function siteOf({ silentSince, worstAlarm, ...row }: SiteRow): Site {
  return {
    ...row,
    id: idOf(row.id),
    silentSinceDateTime: timeOf(silentSince),
    worstAlarm: worstAlarm && worstAlarmOf(worstAlarm),
  };
}

function worstAlarmOf({ raisedAt, ...alarm }: NonNullable<SiteRow['worstAlarm']>) {
  return { ...alarm, raisedDateTime: isoDateTime(raisedAt) };
}

function changeOf({ changedAt, ...row }: ChangeRow): SiteChange {
  return { ...row, siteId: idOf(row.siteId), changedDateTime: isoDateTime(changedAt) };
}
