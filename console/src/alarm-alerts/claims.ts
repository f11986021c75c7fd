import { readStored, withTabLock, writeStored } from '../runtime/index.ts';

const NAME = 'alarm-alerts.claimed';
/** More alarms than are raised while tabs take turns. */
const MAX_CLAIMS = 200;

/** The claimed ids after another claim; null when the id is claimed already. */
export function withClaim(stored: string | null, id: string): string | null {
  const claimed = stored === null || stored === '' ? [] : stored.split(' ');
  if (claimed.includes(id)) return null;
  return [...claimed, id].slice(-MAX_CLAIMS).join(' ');
}

/** Whether this tab is the first of the browser to report the alarm event. */
export function claimAlert(eventId: string): Promise<boolean> {
  return withTabLock(NAME, async () => {
    const next = withClaim(readStored(NAME), eventId);
    if (next !== null) writeStored(NAME, next);
    return next !== null;
  });
}
