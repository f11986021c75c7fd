import { DEVICE_SORTS } from '@fieldwatch/contract';
import { Link } from '@tanstack/react-router';
import { usePresence } from '../live/index.ts';
import { LocationLink } from '../references/index.ts';
import { type Device, sortIn } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  createdColumn,
  OnlineBadge,
  RecordTable,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';
import { useDeviceBulkActions } from './bulk-actions.tsx';
import { type DeviceFilters, sortOf } from './filters.ts';

const words = strings.devices;

const columns: readonly Column<Device>[] = [
  {
    head: strings.ui.name,
    cell: ({ id, name }) => (
      <Link to={`/devices/${id}`} className="linked">
        {name}
      </Link>
    ),
    sortKey: 'NAME',
  },
  { head: words.state, cell: (device) => <DeviceState device={device} /> },
  {
    head: words.lastSeen,
    cell: (device) => <LastSeen device={device} />,
    sortKey: 'LAST_SEEN',
    firstDirection: 'descending',
  },
  { head: words.type, cell: ({ type }) => words.types[type], isMinor: true },
  {
    head: strings.ui.location,
    cell: ({ locationId }) => (locationId === null ? '–' : <LocationLink id={locationId} />),
    isMinor: true,
  },
  createdColumn,
];

interface Props {
  readonly devices: readonly Device[];
  readonly filters: DeviceFilters;
  readonly onChange: (change: Partial<DeviceFilters>) => void;
}

export function DeviceTable({ devices, filters, onChange }: Props) {
  const { page: _, sort: __, ...scope } = filters;
  const actions = useDeviceBulkActions(filters.scope ?? 'active');
  return (
    <RecordTable
      label={words.title}
      columns={columns}
      records={devices}
      columnsKey="devices"
      sort={{
        value: sortOf(filters),
        onChange: (next) => onChange({ sort: sortIn(next, DEVICE_SORTS) }),
      }}
      hrefOf={({ id }) => `/devices/${id}`}
      bulk={{
        scope: JSON.stringify(scope),
        actions,
        nameOf: ({ name }) => name,
        many: words.title,
      }}
    />
  );
}

/** The live presence of a Device, or its inactive state. */
export function DeviceState({ device }: { device: Device }) {
  const { isOnline } = usePresence(device);
  if (!device.isActive) return <StateBadge tone="medium">{words.inactive}</StateBadge>;
  return <OnlineBadge isOnline={isOnline} />;
}

export function LastSeen({ device }: { device: Device }) {
  const { lastSeenDateTime } = usePresence(device);
  return <Timestamp at={lastSeenDateTime} />;
}
