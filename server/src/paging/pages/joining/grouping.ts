import {
  type AlarmEvent,
  type PageGrouping,
  type PageState,
  SEVERITIES,
  type Severity,
} from '@fieldwatch/contract';

/** From this many events of one Alarm within the window on, further ones join silently. */
export const CHATTER_EVENTS = 3;
export const CHATTER_WINDOW_MS = 10 * 60_000;

/** Events of a policy with the same key may share a page. */
export function groupKeyOf(
  groupBy: PageGrouping,
  { locationId, assetIds }: Pick<AlarmEvent, 'locationId' | 'assetIds'>,
): string {
  if (groupBy === 'LOCATION') return locationId ?? '';
  return groupBy === 'ASSET' ? ([...assetIds].sort()[0] ?? '') : '';
}

function isHigher(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(than);
}

/** A page that an event may join. */
export interface OpenPage {
  readonly state: PageState;
  readonly severity: Severity;
  readonly createdAt: number;
}

export type Joining =
  | 'NEW'
  | 'JOIN'
  /** It is graver than what the page was about: the page starts again. */
  | 'RESTART';

/** What an event that does not chatter does to the newest page of its policy and key. */
export function joiningOf(
  page: OpenPage | undefined,
  severity: Severity,
  { groupSeconds, now }: { readonly groupSeconds: number; readonly now: number },
): Joining {
  // A suppressed page notifies nobody of an event that is not.
  if (!page || (page.state !== 'ACTIVE' && page.state !== 'ACKNOWLEDGED')) return 'NEW';
  if (now - page.createdAt >= 1_000 * groupSeconds) return 'NEW';
  return isHigher(severity, page.severity) ? 'RESTART' : 'JOIN';
}
