import { type Device, useRead } from '../service/index.ts';

/**
 * Whether the Device is archived; undefined until that is known. A record does not have the archived
 * state; only the lists do.
 */
export function useIsArchived({ id, name }: Device): boolean | undefined {
  const { data } = useRead('listDevices', {
    query: { archivedScope: 'archived', search: name, take: 1000 },
  });
  return data?.items.some((archived) => archived.id === id);
}
