import { Link } from '@tanstack/react-router';
import { useRead } from '../data/index.ts';

/** The name of a Variable, as a link to it. Each is read once and kept for a while. */
export function VariableOf({ id }: { id: string }) {
  const { data } = useRead('retrieveVariable', { variableId: id }, { staleMs: 60_000 });
  return (
    <Link to={`/variables/${id}`} className="linked">
      {data?.name ?? '…'}
    </Link>
  );
}
