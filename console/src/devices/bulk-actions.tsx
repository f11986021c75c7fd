import type { ArchivedScope } from '@fieldwatch/contract';
import { IconArchive, IconMapPin, IconPower, IconRestore } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { type Device, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, ConfirmBulk, SelectForBulk } from '../ui/index.ts';

const words = strings.devices.bulk;
const icon = { size: 16, 'aria-hidden': true } as const;

/** Edits each Device by a call of its own. */
function useEdit() {
  const call = useCall();
  return (change: { isActive?: boolean; locationId?: string | null }) =>
    async ([device]: readonly Device[]) =>
      device &&
      call('updateDevice', {
        deviceId: device.id,
        body: { type: device.type, ...change } as never,
      });
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
    {
      label: words.move,
      icon: <IconMapPin {...icon} />,
      dialog: (props) => (
        <SelectForBulk
          {...props}
          title={words.moveTitle(props.records.length)}
          action={words.moveAction}
          label={strings.ui.location}
          none={words.noLocation}
          options={locations}
          runWith={(locationId) => edit({ locationId })}
        />
      ),
    },
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
      dialog: (props) => (
        <ConfirmBulk
          {...props}
          title={words.deactivateTitle(props.records.length)}
          action={words.deactivate}
          text={words.deactivateText}
          run={edit({ isActive: false })}
        />
      ),
    },
  ];
}

function useArchiving(): Record<'archive' | 'restore', BulkAction<Device>> {
  const call = useCall();
  const archive: BulkAction<Device> = {
    label: strings.ui.archive,
    icon: <IconArchive {...icon} />,
    dialog: (props) => (
      <ConfirmBulk
        {...props}
        title={words.archiveTitle(props.records.length)}
        action={strings.ui.archive}
        text={words.archiveText}
        run={async ([device]) => device && call('archiveDevice', { deviceId: device.id })}
      />
    ),
  };
  const restore: BulkAction<Device> = {
    label: strings.ui.restore,
    icon: <IconRestore {...icon} />,
    run: async ([device]) => device && call('restoreDevice', { deviceId: device.id }),
  };
  return { archive, restore };
}
