import { useRead } from '../service/index.ts';

/** Locations are few and change seldom: all are read once and kept. */
export function useLocations() {
  return useRead('listLocations', { query: { take: 1000 } }, { staleMs: 5 * 60_000 });
}

export function LocationName({ id }: { id: string | null }) {
  const { data } = useLocations();
  return <>{id === null ? '–' : (data?.items.find((each) => each.id === id)?.name ?? '…')}</>;
}
