import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRead } from '../service/index.ts';
import { type Site, sitesOf } from './sites.ts';

/** Locations are few and rarely change, so all are read once and cached. */
export function useLocations() {
  return useRead('listLocations', { query: { take: 1000 } }, { staleMs: 5 * 60_000 });
}

/** The site of each Location by its id; empty until the Locations are loaded. */
export function useSites(): ReadonlyMap<string, Site> {
  const { data } = useLocations();
  return useMemo(() => sitesOf(data?.items ?? []), [data]);
}

export function LocationName({ id }: { id: string | null }) {
  const { data } = useLocations();
  return <>{id === null ? '–' : (data?.items.find((each) => each.id === id)?.name ?? '…')}</>;
}

export function LocationLink({ id }: { id: string }) {
  return (
    <Link to={`/locations/${id}`} className="linked">
      <LocationName id={id} />
    </Link>
  );
}
