import { useNavigate, useSearch } from '@tanstack/react-router';

/** What an address says, before it is believed. */
export type Raw = Readonly<Record<string, unknown>>;

/** Leaves out what says nothing, so that addresses stay short. */
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

/**
 * The filters of a page live in its address, so that a reload, a link and the way back keep them.
 * A change of a filter goes back to the first page; it replaces the address, since nobody wants to
 * go back through letters of a search.
 */
export function useFilters<T extends object>(
  parse: (raw: Raw) => T,
): [T, (change: Partial<T>) => void] {
  const raw: Raw = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters = parse(raw);
  const change = (part: Partial<T>) => {
    const search = compact({ ...filters, page: undefined, ...part });
    void navigate({ to: '.', search: search as never, replace: !('page' in part) });
  };
  return [filters, change];
}
