import type { Page, PageDetails } from '@fieldwatch/contract';
import { type Change, changeOf } from '../../http/index.ts';
import { isoDateTime, notFound } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import * as store from './store.ts';

/** So many events, deliveries and entries of the timeline are shown. */
const MAX_LISTED = 200;

const time = (at: number | null) => (at === null ? null : isoDateTime(at));

export function pageRecord(row: store.ListedPage): Page {
  return {
    id: row.id,
    policyId: row.policyId,
    policyName: row.policyName,
    state: row.state,
    severity: row.severity,
    title: titleOf(row),
    isTest: row.isTest,
    eventCount: row.eventCount,
    activeEventCount: row.activeEventCount,
    chatterCount: row.chatterCount,
    step: row.step,
    loop: row.loop,
    nextStepDateTime: row.state === 'SUPPRESSED' ? null : time(row.nextAt),
    acknowledgedBy: row.acknowledgedBy,
    acknowledgedDateTime: time(row.acknowledgedAt),
    createdDateTime: isoDateTime(row.createdAt),
    endedDateTime: time(row.endedAt),
  };
}

function titleOf({ isTest, alarmName, deviceName }: store.ListedPage): string {
  if (isTest) return 'Test page';
  return alarmName === null ? 'Deleted events' : `${alarmName}: ${deviceName}`;
}

/** A page with all that is shown of it; null when there is none. */
async function findDetails(
  db: Queries,
  organizationId: string,
  pageId: string,
): Promise<PageDetails | null> {
  const [row] = await store.withEvents(db, organizationId, [pageId]);
  if (!row) return null;
  const events = await store.listEvents(db, organizationId, pageId, MAX_LISTED);
  const deliveries = await store.listDeliveries(db, organizationId, pageId, MAX_LISTED);
  const log = await store.listLog(db, organizationId, pageId, MAX_LISTED);
  return {
    ...pageRecord(row),
    events: events.map(({ raisedAt, clearedAt, ...event }) => ({
      ...event,
      raisedDateTime: isoDateTime(raisedAt),
      clearedDateTime: time(clearedAt),
    })),
    deliveries: deliveries.map(({ dueAt, lastAttemptAt, ...delivery }) => ({
      ...delivery,
      dueDateTime: isoDateTime(dueAt),
      lastAttemptDateTime: time(lastAttemptAt),
    })),
    timeline: log.map(({ at, ...entry }) => ({ ...entry, dateTime: isoDateTime(at) })),
  };
}

export async function requireDetails(
  db: Queries,
  organizationId: string,
  pageId: string,
): Promise<PageDetails> {
  const details = await findDetails(db, organizationId, pageId);
  if (!details) throw notFound('page');
  return details;
}

/** What the audit log shows of a page: its deliveries and timeline are records of their own. */
export function changesOf(
  organizationId: string,
  before: PageDetails | undefined,
  after: PageDetails,
): Change[] {
  const shown = ({ events: _, deliveries: __, timeline: ___, ...fields }: PageDetails) => fields;
  const change = { id: after.id, before: before && shown(before), after: shown(after) };
  return [changeOf(organizationId, 'Page', change)];
}
