import { Link } from '@tanstack/react-router';
import { useRead } from '../service/index.ts';
import { type Option, SearchedSelect, type SearchedSelectProps } from '../ui/index.ts';

const MAX_OPTIONS = 50;

/** The name of a Variable as a link to it. The record is cached for a while. */
export function VariableLink({ id }: { id: string }) {
  const { data } = useRead('retrieveVariable', { variableId: id }, { staleMs: 60_000 });
  return (
    <Link to={`/variables/${id}`} className="linked">
      {data?.name ?? '…'}
    </Link>
  );
}

interface Props extends Omit<SearchedSelectProps, 'useOptions' | 'selected'> {
  /** The Device whose Variables are offered; null for all. */
  readonly deviceId: string | null;
}

export function VariableSelect({ deviceId, ...props }: Props) {
  const { data } = useRead(
    'retrieveVariable',
    { variableId: props.value ?? '' },
    { enabled: props.value !== null },
  );
  const useOptions = (search: string): readonly Option[] => {
    const { data: found } = useRead(
      'listVariables',
      {
        query: {
          take: MAX_OPTIONS,
          ...(search ? { search } : {}),
          ...(deviceId ? { deviceIds: [deviceId] } : {}),
        },
      },
      { keepsPrevious: true },
    );
    return (found?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  };
  const selected = data ? { value: data.id, label: data.name } : null;
  return <SearchedSelect {...props} useOptions={useOptions} selected={selected} />;
}
