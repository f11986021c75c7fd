import { describeEvents, type PageContent, testEvent } from '../../../notify/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import { type PageRow, summarizeEvents } from '../records/index.ts';

const MAX_NAMED_EVENTS = 20;

const TITLES = {
  PAGED: 'Page',
  REMINDED: 'Reminder',
  RESOLVED: 'Resolved',
  EXHAUSTED: 'Nobody acknowledged',
} as const;

/** What a message of the page says, as its events are now. */
export async function contentOf(
  tx: Transaction,
  page: PageRow,
  title: keyof typeof TITLES,
  now: number,
): Promise<PageContent> {
  const { organizationId, id, policyName, isTest, chatterCount } = page;
  const kind = title === 'RESOLVED' ? 'cleared' : 'raised';
  const note = { id, policyName, title: isTest ? 'Test page' : TITLES[title], isTest };
  if (isTest) {
    const events = [testEvent(id, now)];
    return { kind, at: now, events, eventCount: 1, counts: { INFO: 1 }, note };
  }
  const { named, counts } = await summarizeEvents(tx, organizationId, id, MAX_NAMED_EVENTS);
  const names = named.map(({ eventId }) => ({ organizationId, eventId }));
  const described = await describeEvents(tx, names);
  const events = named.flatMap(({ eventId }) => described.get(eventId) ?? []);
  const eventCount = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const chatter = chatterCount === 0 ? {} : { chatterCount };
  return {
    kind,
    at: now,
    events,
    // A message names at least one change; of deleted events nothing is left to name.
    eventCount: Math.max(1, eventCount),
    counts,
    note: { ...note, ...chatter },
  };
}
