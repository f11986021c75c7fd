import { byUrgency } from '../../alarm-events/index.ts';
import type { AlarmEvent } from '../../service/index.ts';

/** The most severe first; those of one site together, the site with the worst alarm first. */
export function arrangedBySite(
  events: readonly AlarmEvent[],
  siteIdOf: (event: AlarmEvent) => string,
): readonly AlarmEvent[] {
  const bySite = new Map<string, AlarmEvent[]>();
  for (const event of events.toSorted(byUrgency)) {
    const site = siteIdOf(event);
    const known = bySite.get(site);
    if (known) known.push(event);
    else bySite.set(site, [event]);
  }
  // A map iterates in the order of insertion, which is that of each site's worst alarm.
  return [...bySite.values()].flat();
}

/** Consecutive rows of one site. */
export function groupsOf<T>(rows: readonly T[], siteIdOf: (row: T) => string) {
  const groups: { readonly siteId: string; readonly rows: T[] }[] = [];
  for (const row of rows) {
    const siteId = siteIdOf(row);
    const last = groups.at(-1);
    if (last?.siteId === siteId) last.rows.push(row);
    else groups.push({ siteId, rows: [row] });
  }
  return groups;
}
