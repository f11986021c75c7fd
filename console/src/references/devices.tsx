import { Link } from '@tanstack/react-router';
import { useRead } from '../service/index.ts';
import { type Option, SearchedSelect, type SearchedSelectProps } from '../ui/index.ts';

const MAX_OPTIONS = 30;

/** The name of a Device as a link to it. The record is cached for a while. */
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
    { query: { take: MAX_OPTIONS, ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

type Props = Omit<SearchedSelectProps, 'useOptions' | 'selected'>;

export function DeviceSelect(props: Props) {
  const { data } = useRead(
    'retrieveDevice',
    { deviceId: props.value ?? '' },
    { enabled: props.value !== null },
  );
  const selected = data ? { value: data.id, label: data.name } : null;
  return <SearchedSelect {...props} useOptions={useDeviceOptions} selected={selected} />;
}
