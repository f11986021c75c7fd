import { Link } from '@tanstack/react-router';
import { useRead } from '../service/index.ts';
import {
  type FoundOptions,
  ranked,
  SearchedSelect,
  type SearchedSelectProps,
} from '../ui/index.ts';
import { useLocations } from './locations.tsx';

const MAX_OPTIONS = 50;
/** By name, as the server lists them, an exact match may be far behind: more are read than shown. */
const MAX_RANKED = 200;

/** The name of a Device as a link to it. The record is cached for a while. */
export function DeviceLink({ id }: { id: string }) {
  const { data } = useRead('retrieveDevice', { deviceId: id }, { staleMs: 60_000 });
  return (
    <Link to={`/devices/${id}`} className="linked">
      {data?.name ?? '…'}
    </Link>
  );
}

function useDeviceOptions(search: string): FoundOptions {
  const { data, isPending, isPlaceholderData } = useRead(
    'searchDevices',
    { body: { take: search ? MAX_RANKED : MAX_OPTIONS, ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const { data: locations } = useLocations();
  const places = new Map(locations?.items.map(({ id, name }) => [id, name]));
  const found = search ? ranked(data?.items ?? [], search, ({ name }) => [name]) : data?.items;
  const options = (found ?? []).slice(0, MAX_OPTIONS).map(({ id, name, locationId }) => {
    const detail = locationId === null ? undefined : places.get(locationId);
    return { value: id, label: name, ...(detail ? { detail } : {}) };
  });
  return { options, count: data?.count ?? 0, isPending: isPending || isPlaceholderData };
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
