import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** The unvalidated parameters of a URL. */
export type Raw = Readonly<Record<string, unknown>>;

/** Removes empty values, so that URLs stay short. */
export function compact<T extends object>(filters: T): T {
  return Object.fromEntries(
    Object.entries(filters).filter(
      ([, value]) =>
        value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T;
}

export const textIn = (raw: unknown): string | undefined =>
  typeof raw === 'string' ? raw : typeof raw === 'number' ? String(raw) : undefined;

export const oneIn = <const V extends string>(raw: unknown, values: readonly V[]): V | undefined =>
  values.find((value) => value === raw);

export const manyIn = <const V extends string>(raw: unknown, values: readonly V[]): V[] =>
  values.filter((value) => (Array.isArray(raw) ? raw.includes(value) : raw === value));

export const idsIn = (raw: unknown): string[] =>
  (Array.isArray(raw) ? raw : [raw]).filter((each): each is string => typeof each === 'string');

export const pageIn = (raw: unknown): number | undefined =>
  typeof raw === 'number' && Number.isInteger(raw) && raw > 1 ? raw : undefined;

export const numberIn = (raw: unknown): number | undefined =>
  typeof raw === 'number' && Number.isFinite(raw) ? raw : undefined;

/** An order by one of the keys; a minus sign in front of the key stands for descending. */
export const sortIn = <const K extends string>(
  raw: unknown,
  keys: readonly K[],
): K | `-${K}` | undefined => oneIn(raw, [...keys, ...keys.map((key) => `-${key}` as const)]);

/** The order and the page of a list. */
export interface ListPosition {
  /** The sort key of a column, with a minus sign in front where it descends. */
  readonly sort?: string | undefined;
  readonly page?: number | undefined;
}

export const positionIn = (raw: Raw): ListPosition => ({
  sort: textIn(raw.sort),
  page: pageIn(raw.page),
});

/** The order as the API takes it. */
export function sortQuery<K extends string>(
  sort: K | `-${K}`,
): { sortBy: K; sortDirection: 'ASCENDING' | 'DESCENDING' } {
  const isDescending = sort.startsWith('-');
  return {
    sortBy: (isDescending ? sort.slice(1) : sort) as K,
    sortDirection: isDescending ? 'DESCENDING' : 'ASCENDING',
  };
}

/** Changes of the page and of the time range are steps that the back button undoes. */
const STEPS = ['page', 'from'] as const;

/**
 * The filters of a page are in its URL, so that a reload, a link and the back button keep them.
 * A change of the filters of a list returns to its first page. It replaces the history entry, so that the back button
 * does not step through the letters of a search; steps add one. Other parameters of the URL stay, and
 * a change of them does not render the component: a zoom is one, and a page is large. A list is shown
 * from its top after a change; a tab or a chart stays where it is on the screen.
 */
export function useFilters<T extends object>(
  parse: (raw: Raw) => T,
): [T, (change: Partial<T>) => void] {
  const text = useSearch({
    strict: false,
    select: (raw: Raw) => JSON.stringify(parse(raw)),
  } as never) as string;
  const navigate = useNavigate();
  const filters = useMemo(() => JSON.parse(text) as T, [text]);
  const isOfList = 'page' in parse({ page: 2 });
  const change = useCallback(
    (part: Partial<T>) => {
      const first = isOfList ? { page: undefined } : {};
      const search = (raw: Raw) => compact({ ...raw, ...first, ...part });
      const isStep = STEPS.some((field) => field in part);
      void navigate({ to: '.', search: search as never, replace: !isStep, resetScroll: isOfList });
    },
    [navigate, isOfList],
  );
  return [filters, change];
}
