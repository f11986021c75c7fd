import { Link } from '@tanstack/react-router';
import { useRead } from '../service/index.ts';
import { type Option, SearchedSelect, type SearchedSelectProps } from '../ui/index.ts';

const FEW = 50;

/** The name of a Variable, as a link to it. Each is read once and kept for a while. */
export function VariableLink({ id }: { id: string }) {
  const { data } = useRead('retrieveVariable', { variableId: id }, { staleMs: 60_000 });
  return (
    <Link to={`/variables/${id}`} className="linked">
      {data?.name ?? '…'}
    </Link>
  );
}

interface Given extends Omit<SearchedSelectProps, 'useOptions' | 'chosen'> {
  /** Of which Device; of all while null. */
  readonly deviceId: string | null;
}

export function VariableSelect({ deviceId, ...given }: Given) {
  const { data } = useRead(
    'retrieveVariable',
    { variableId: given.value ?? '' },
    { enabled: given.value !== null },
  );
  const useOptions = (search: string): readonly Option[] => {
    const { data: found } = useRead(
      'listVariables',
      {
        query: {
          take: FEW,
          ...(search ? { search } : {}),
          ...(deviceId ? { deviceIds: [deviceId] } : {}),
        },
      },
      { keepsPrevious: true },
    );
    return (found?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  };
  const chosen = data ? { value: data.id, label: data.name } : null;
  return <SearchedSelect {...given} useOptions={useOptions} chosen={chosen} />;
}
