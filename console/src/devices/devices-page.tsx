import { DEVICE_TYPES, type DeviceType } from '@fieldwatch/contract';
import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { IconCpu } from '../icons/index.ts';
import { useFilters, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  ArchivedScopeFilter,
  Empty,
  Filters,
  Listing,
  Page,
  pageOf,
  SearchField,
} from '../ui/index.ts';
import { DeviceCreation } from './device-creation.tsx';
import { DeviceTable } from './device-table.tsx';
import { type DeviceFilters, parseDeviceFilters } from './filters.ts';

const words = strings.devices;

export function DevicesPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parseDeviceFilters);
  const [isCreating, setIsCreating] = useState(false);
  const { search, types = [], scope = 'active', page = 1 } = filters;
  const query = useRead(
    'listDevices',
    {
      query: {
        archivedScope: scope,
        ...pageOf(page),
        ...(search ? { search } : {}),
        ...(types.length > 0 ? { type: types.join(',') } : {}),
      },
    },
    { keepsPrevious: true, refetchIntervalMs: 30_000 },
  );
  const isFiltered = Boolean(search) || types.length > 0 || scope !== 'active';
  const add = may('CreateDevice') ? (
    <AddButton label={words.add} onClick={() => setIsCreating(true)} />
  ) : null;
  return (
    <Page title={words.title} actions={add}>
      <DeviceFilterBar filters={filters} onChange={setFilters} />
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={isFiltered}
        empty={
          <Empty title={words.empty} icon={<IconCpu />} action={add}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => <DeviceTable devices={items} />}
      </Listing>
      <DeviceCreation isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

interface BarProps {
  readonly filters: DeviceFilters;
  readonly onChange: (change: Partial<DeviceFilters>) => void;
}

function DeviceFilterBar({ filters, onChange }: BarProps) {
  return (
    <Filters>
      <SearchField
        label={words.search}
        value={filters.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      <MultiSelect
        aria-label={words.type}
        placeholder={filters.types?.length ? '' : words.type}
        data={DEVICE_TYPES.map((value) => ({ value, label: words.types[value] }))}
        value={[...(filters.types ?? [])]}
        onChange={(types) => onChange({ types: types as DeviceType[] })}
        clearable
        w={{ base: '100%', xs: 240 }}
      />
      <ArchivedScopeFilter
        value={filters.scope ?? 'active'}
        onChange={(scope) => onChange({ scope })}
      />
    </Filters>
  );
}
