import type { SiteState } from '@fieldwatch/contract';
import { compact, oneIn, pageIn, type Raw, textIn, useFilters, useRead } from '../service/index.ts';

export const STATE_FILTERS = ['alarm', 'silent', 'normal'] as const;

const STATES: Readonly<Record<(typeof STATE_FILTERS)[number], readonly SiteState[]>> = {
  alarm: ['ALARM'],
  silent: ['SILENT'],
  normal: ['NORMAL', 'NO_DEVICES'],
};

export interface SiteFilters {
  readonly search?: string | undefined;
  readonly state?: (typeof STATE_FILTERS)[number] | undefined;
  readonly page?: number | undefined;
}

export function parseSiteFilters(raw: Raw): SiteFilters {
  return compact({
    search: textIn(raw.search),
    state: oneIn(raw.state, STATE_FILTERS),
    page: pageIn(raw.page),
  });
}

export const SITES_PER_PAGE = 25;

/** The stream reports alarms; reading again is for Devices that go silent. */
const REFRESH_MS = 5_000;

/**
 * The sites of the overview's URL with their totals and changes, in one reply. Everything that the
 * overview shows of alarms and Devices comes from it, the count in the header too, so that no two
 * parts contradict each other.
 */
export function useSiteList({ enabled = true }: { readonly enabled?: boolean } = {}) {
  const [{ search, state, page = 1 }] = useFilters(parseSiteFilters);
  return useRead(
    'listSites',
    {
      query: {
        skip: (page - 1) * SITES_PER_PAGE,
        take: SITES_PER_PAGE,
        ...(search ? { search } : {}),
        ...(state ? { states: [...STATES[state]] } : {}),
      },
    },
    { refetchIntervalMs: REFRESH_MS, keepsPrevious: true, enabled },
  );
}
