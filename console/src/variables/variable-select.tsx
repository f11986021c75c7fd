import { useRead } from '../data/index.ts';
import { type Option, SearchedSelect } from '../ui/index.ts';

const FEW = 50;

interface Given {
  readonly label: string;
  /** Of which Device; of all while null. */
  readonly deviceId: string | null;
  readonly value: string | null;
  readonly onChange: (variableId: string | null) => void;
  readonly error?: React.ReactNode;
  readonly disabled?: boolean;
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
