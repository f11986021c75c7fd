import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../model/index.ts';
import type { Target } from '../provision/index.ts';

const DAY = 86_400_000;
const TAKE = 1_000;
/** Pages begin soon after the events that they are about. */
const PAGE_LOOKS = 20;
const LOOK_EVERY_MS = 500;

const UTILITY_LOST = ': Utility lost';
const LOAD_ON_GENERATOR = ': Load on the generator';
const ANSWERED = [UTILITY_LOST, LOAD_ON_GENERATOR];

/** The notes of an operator on alarms of the incident. The others stay unacknowledged. */
const SAID: readonly (readonly [alarm: string, note: string])[] = [
  [UTILITY_LOST, 'Storm damage at the substation. The grid operator expects hours, not minutes.'],
  [LOAD_ON_GENERATOR, 'Transfer went as it should. Nothing to do on site for now.'],
  [': Generator fuel below 60 %', 'Tanker ordered, it comes before 15 % at the latest.'],
];

/** Answers the pages that the person on call has dealt with. The one about the fuel stays open. */
export async function answerPages(
  { client, organizationId }: Target,
  { sites: [site] }: Fleet,
): Promise<void> {
  const missing = new Set(ANSWERED.map((alarm) => `${site?.name}${alarm}:`));
  for (let look = 0; missing.size > 0 && look < PAGE_LOOKS; look += 1) {
    if (look > 0) await sleep(LOOK_EVERY_MS);
    const { items } = await client.listPages({ organizationId });
    for (const { id: pageId, title, state } of items) {
      const about = [...missing].find((start) => title.startsWith(start));
      if (about === undefined) continue;
      if (state === 'ACTIVE') await client.acknowledgePage({ organizationId, pageId });
      missing.delete(about);
    }
  }
}

/** Acknowledges some active alarms of the first site, each with a note. */
export async function handleIncident(
  { client, organizationId }: Target,
  { sites: [site] }: Fleet,
  now: number,
): Promise<void> {
  if (!site) return;
  const notes = new Map(SAID.map(([alarm, note]) => [`${site.name}${alarm}`, note]));
  const { items } = await client.listAlarmHistory({
    organizationId,
    body: { startTime: now - DAY, endTime: now, search: site.name, take: TAKE },
  });
  for (const { id: eventId, alarmName, clearedDateTime, acknowledgedDateTime } of items) {
    const note = notes.get(alarmName);
    if (note === undefined || clearedDateTime !== null || acknowledgedDateTime !== null) continue;
    await client.acknowledgeAlarmEvent({ organizationId, eventId, body: { note } });
  }
}
