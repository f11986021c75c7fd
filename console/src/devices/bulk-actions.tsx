import type { ArchivedScope } from '@fieldwatch/contract';
import { IconArchive, IconMapPin, IconPower, IconRestore } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { type Device, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, moveAction } from '../ui/index.ts';

const words = strings.devices.bulk;
const icon = { size: 16, 'aria-hidden': true } as const;

/** Edits each Device by a call of its own. */
function useEdit() {
  const call = useCall();
  return (change: { isActive?: boolean; locationId?: string | null }) =>
    ({ id, type }: Device) =>
      call('updateDevice', { deviceId: id, body: { type, ...change } as never });
}

/** The actions on selected Devices, by the user's permissions and by what the list shows. */
export function useDeviceBulkActions(scope: ArchivedScope): readonly BulkAction<Device>[] {
  const { may } = useSession();
  const update = useUpdates();
  const { archive, restore } = useArchiving();
  return [
    ...(may('UpdateDevice') ? update : []),
    ...(may('DeleteDevice') && scope !== 'archived' ? [archive] : []),
    ...(may('DeleteDevice') && scope !== 'active' ? [restore] : []),
  ];
}

function useUpdates(): readonly BulkAction<Device>[] {
  const edit = useEdit();
  const locations = useLocations().data?.items ?? [];
  return [
    moveAction({
      label: words.move,
      icon: <IconMapPin {...icon} />,
      titleOf: words.moveTitle,
      field: strings.ui.location,
      none: words.noLocation,
      destinations: locations,
      moveTo: (locationId) => edit({ locationId }),
    }),
    {
      label: words.activate,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isActive }) => !isActive,
      run: edit({ isActive: true }),
    },
    {
      label: words.deactivate,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isActive }) => isActive,
      effect: words.deactivateText,
      run: edit({ isActive: false }),
    },
  ];
}

function useArchiving(): Record<'archive' | 'restore', BulkAction<Device>> {
  const call = useCall();
  const archive: BulkAction<Device> = {
    label: strings.ui.archive,
    icon: <IconArchive {...icon} />,
    effect: strings.devices.archiveText,
    run: ({ id }) => call('archiveDevice', { deviceId: id }),
  };
  const restore: BulkAction<Device> = {
    label: strings.ui.restore,
    icon: <IconRestore {...icon} />,
    run: ({ id }) => call('restoreDevice', { deviceId: id }),
  };
  return { archive, restore };
}
