import { DEVICE_TYPES, type DeviceType } from '@fieldwatch/contract';
import { MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { useLocations } from '../references/index.ts';
import { oneIn } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { ArchivedScopeFilter, Filters, filterWidth, SavedViews, SearchField } from '../ui/index.ts';
import { type DeviceFilters, SEEN_FILTERS, STATE_FILTERS } from './filters.ts';

const words = strings.devices;

interface Props {
  readonly filters: DeviceFilters;
  readonly onChange: (change: Partial<DeviceFilters>) => void;
}

export function DeviceFilterBar({ filters, onChange }: Props) {
  return (
    <Filters>
      <SearchField
        label={words.search}
        value={filters.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      <SegmentedControl
        size="xs"
        aria-label={words.state}
        value={filters.state ?? 'all'}
        onChange={(next) => onChange({ state: oneIn(next, STATE_FILTERS) })}
        data={(['all', ...STATE_FILTERS] as const).map((value) => ({
          value,
          label: words.filters.states[value],
        }))}
      />
      <Select
        aria-label={words.lastSeen}
        placeholder={words.lastSeen}
        data={SEEN_FILTERS.map((value) => ({ value, label: words.filters.seen[value] }))}
        value={filters.seen ?? null}
        onChange={(next) => onChange({ seen: oneIn(next, SEEN_FILTERS) })}
        clearable
        w={filterWidth(190)}
      />
      <LocationFilter filters={filters} onChange={onChange} />
      <MultiSelect
        aria-label={words.type}
        placeholder={filters.types?.length ? '' : words.type}
        data={DEVICE_TYPES.map((value) => ({ value, label: words.types[value] }))}
        value={[...(filters.types ?? [])]}
        onChange={(types) => onChange({ types: types as DeviceType[] })}
        clearable
        w={filterWidth(200)}
      />
      <ArchivedScopeFilter
        value={filters.scope ?? 'active'}
        onChange={(scope) => onChange({ scope })}
      />
      <SavedViews page="devices" />
    </Filters>
  );
}

function LocationFilter({ filters, onChange }: Props) {
  const { data } = useLocations();
  return (
    <Select
      aria-label={strings.ui.location}
      placeholder={strings.ui.location}
      data={data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={filters.locationId ?? null}
      onChange={(id) => onChange({ locationId: id ?? undefined })}
      clearable
      searchable
      w={filterWidth(200)}
    />
  );
}
