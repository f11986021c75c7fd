import { Link } from '@tanstack/react-router';
import { useRead } from '../service/index.ts';

/** Locations are few and rarely change, so all are read once and cached. */
export function useLocations() {
  return useRead('listLocations', { query: { take: 1000 } }, { staleMs: 5 * 60_000 });
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
