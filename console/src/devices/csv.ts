import type { Device } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import type { CsvColumn } from '../ui/index.ts';

const words = strings.devices;

function stateText({ isActive, isOnline }: Device): string {
  if (!isActive) return words.inactive;
  return isOnline ? strings.ui.online : strings.ui.offline;
}

/** The columns of exported Devices; Locations by name. */
export function deviceCsv(locations: ReadonlyMap<string, string>): readonly CsvColumn<Device>[] {
  return [
    { head: words.details.id, value: ({ id }) => id },
    { head: strings.ui.name, value: ({ name }) => name },
    { head: words.state, value: stateText },
    { head: words.lastSeen, value: ({ lastSeenDateTime }) => lastSeenDateTime },
    { head: words.type, value: ({ type }) => words.types[type] },
    {
      head: strings.ui.location,
      value: ({ locationId }) => (locationId === null ? null : (locations.get(locationId) ?? null)),
    },
    { head: strings.ui.description, value: ({ description }) => description },
    { head: strings.ui.created, value: ({ createdDateTime }) => createdDateTime },
  ];
}
