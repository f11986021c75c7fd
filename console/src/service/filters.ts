import { useNavigate, useSearch } from '@tanstack/react-router';

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

/**
 * The filters of a page are in its URL, so that a reload, a link and the back button keep them.
 * A filter change returns to the first page. It replaces the history entry, so that the back button
 * does not step through the letters of a search.
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
