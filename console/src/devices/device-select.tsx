import { useRead } from '../data/index.ts';
import { type Option, SearchedSelect } from '../ui/index.ts';

const FEW = 30;

function useDeviceOptions(search: string): readonly Option[] {
  const { data } = useRead(
    'listDevices',
    { query: { take: FEW, ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

interface Given {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (deviceId: string | null) => void;
  readonly error?: React.ReactNode;
  readonly disabled?: boolean;
}

export function DeviceSelect(given: Given) {
  const { data } = useRead(
    'retrieveDevice',
    { deviceId: given.value ?? '' },
    { enabled: given.value !== null },
  );
  const chosen = data ? { value: data.id, label: data.name } : null;
  return <SearchedSelect {...given} useOptions={useDeviceOptions} chosen={chosen} />;
}
