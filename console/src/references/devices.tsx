import { Link } from '@tanstack/react-router';
import { useRead } from '../service/index.ts';
import { type Option, SearchedSelect, type SearchedSelectProps } from '../ui/index.ts';

const FEW = 30;

/** The name of a Device, as a link to it. Each is read once and kept for a while. */
export function DeviceLink({ id }: { id: string }) {
  const { data } = useRead('retrieveDevice', { deviceId: id }, { staleMs: 60_000 });
  return (
    <Link to={`/devices/${id}`} className="linked">
      {data?.name ?? '…'}
    </Link>
  );
}

function useDeviceOptions(search: string): readonly Option[] {
  const { data } = useRead(
    'listDevices',
    { query: { take: FEW, ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

type Given = Omit<SearchedSelectProps, 'useOptions' | 'chosen'>;

export function DeviceSelect(given: Given) {
  const { data } = useRead(
    'retrieveDevice',
    { deviceId: given.value ?? '' },
    { enabled: given.value !== null },
  );
  const chosen = data ? { value: data.id, label: data.name } : null;
  return <SearchedSelect {...given} useOptions={useDeviceOptions} chosen={chosen} />;
}
