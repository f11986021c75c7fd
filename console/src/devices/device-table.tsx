import { Link } from '@tanstack/react-router';
import { usePresence } from '../live/index.ts';
import { LocationName } from '../references/index.ts';
import type { Device } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, OnlineBadge, RecordTable, StateBadge, Timestamp } from '../ui/index.ts';

const words = strings.devices;

const columns: readonly Column<Device>[] = [
  {
    head: strings.ui.name,
    cell: ({ id, name }) => (
      <Link to={`/devices/${id}`} className="linked">
        {name}
      </Link>
    ),
  },
  { head: words.state, cell: (device) => <DeviceState device={device} /> },
  { head: words.lastSeen, cell: (device) => <LastSeen device={device} /> },
  { head: words.type, cell: ({ type }) => words.types[type], isMinor: true },
  {
    head: strings.ui.location,
    cell: ({ locationId }) => <LocationName id={locationId} />,
    isMinor: true,
  },
];

export function DeviceTable({ devices }: { devices: readonly Device[] }) {
  return <RecordTable label={words.title} columns={columns} records={devices} />;
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
