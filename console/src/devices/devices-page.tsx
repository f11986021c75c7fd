import { Group } from '@mantine/core';
import { useState } from 'react';
import { IconCpu } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { useSteppedNow } from '../runtime/index.ts';
import { type Device, useCall, useFilters, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { AddButton, CsvButton, Empty, Listing, Page, pageOf } from '../ui/index.ts';
import { deviceCsv } from './csv.ts';
import { DeviceCreation } from './device-creation.tsx';
import { DeviceFilterBar } from './device-filter-bar.tsx';
import { DeviceTable } from './device-table.tsx';
import { deviceSearch, isFiltered, parseDeviceFilters } from './filters.ts';

const words = strings.devices;
const MINUTE_MS = 60_000;
const NONE: { count: number; items: Device[] } = { count: 0, items: [] };

export function DevicesPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parseDeviceFilters);
  const [isCreating, setIsCreating] = useState(false);
  const { page = 1 } = filters;
  const body = deviceSearch(filters, useSteppedNow(MINUTE_MS));
  const query = useRead(
    'searchDevices',
    { body: { ...(body ?? { states: [] }), ...pageOf(page) } },
    { keepsPrevious: true, refetchIntervalMs: 30_000, enabled: body !== null },
  );
  const add = may('CreateDevice') ? (
    <AddButton label={words.add} onClick={() => setIsCreating(true)} />
  ) : null;
  return (
    <Page
      title={words.title}
      actions={
        <Group gap="xs">
          {body ? <DeviceCsv body={body} /> : null}
          {add}
        </Group>
      }
    >
      <DeviceFilterBar filters={filters} onChange={setFilters} />
      <Listing
        query={body ? query : ({ ...query, data: NONE } as typeof query)}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={isFiltered(filters)}
        empty={
          <Empty title={words.empty} icon={<IconCpu />} action={add}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => <DeviceTable devices={items} filters={filters} onChange={setFilters} />}
      </Listing>
      <DeviceCreation isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

/** All Devices that match the filters, as a file. */
function DeviceCsv({ body }: { body: NonNullable<ReturnType<typeof deviceSearch>> }) {
  const call = useCall();
  const { data: locations } = useLocations();
  const names = new Map(locations?.items.map(({ id, name }) => [id, name]));
  return (
    <CsvButton
      name="devices"
      columns={deviceCsv(names)}
      read={(paging) => call('searchDevices', { body: { ...body, ...paging } })}
    />
  );
}
