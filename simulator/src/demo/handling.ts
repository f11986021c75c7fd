import type { Fleet } from '../model/index.ts';
import type { Target } from '../provision/index.ts';

const DAY = 86_400_000;
const TAKE = 1_000;

/** The notes of an operator on alarms of the incident. The others stay unacknowledged. */
const SAID: readonly (readonly [alarm: string, note: string])[] = [
  [
    ': Utility lost',
    'Storm damage at the substation. The grid operator expects hours, not minutes.',
  ],
  [': Load on the generator', 'Transfer went as it should. Nothing to do on site for now.'],
  [': Generator fuel below 60 %', 'Tanker ordered, it comes before 15 % at the latest.'],
];

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
