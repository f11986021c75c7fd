import type { ArchivedScope } from '@fieldwatch/contract';
import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { IconArchive, IconMapPin, IconPower, IconRestore } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { type Device, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, type BulkDialogProps, Confirm, Dialog } from '../ui/index.ts';

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
  const call = useCall();
  const edit = useEdit();
  const update: readonly BulkAction<Device>[] = [
    {
      label: words.move,
      icon: <IconMapPin {...icon} />,
      dialog: (props) => <MoveDevices {...props} />,
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
      dialog: (props) => <DeactivateDevices {...props} />,
    },
  ];
  const archive: BulkAction<Device> = {
    label: strings.ui.archive,
    icon: <IconArchive {...icon} />,
    dialog: (props) => <ArchiveDevices {...props} />,
  };
  const restore: BulkAction<Device> = {
    label: strings.ui.restore,
    icon: <IconRestore {...icon} />,
    run: async ([device]) => device && call('restoreDevice', { deviceId: device.id }),
  };
  return [
    ...(may('UpdateDevice') ? update : []),
    ...(may('DeleteDevice') && scope !== 'archived' ? [archive] : []),
    ...(may('DeleteDevice') && scope !== 'active' ? [restore] : []),
  ];
}

function ArchiveDevices({ records, onRun, onClose }: BulkDialogProps<Device>) {
  const call = useCall();
  const archive = async ([device]: readonly Device[]) =>
    device && call('archiveDevice', { deviceId: device.id });
  return (
    <Confirm
      title={words.archiveTitle(records.length)}
      action={strings.ui.archive}
      onConfirm={async () => onRun(archive)}
      onClose={onClose}
      isOpen
    >
      {words.archiveText}
    </Confirm>
  );
}

function DeactivateDevices({ records, onRun, onClose }: BulkDialogProps<Device>) {
  const edit = useEdit();
  return (
    <Confirm
      title={words.deactivateTitle(records.length)}
      action={words.deactivate}
      onConfirm={async () => onRun(edit({ isActive: false }))}
      onClose={onClose}
      isOpen
    >
      {words.deactivateText}
    </Confirm>
  );
}

/** Asks for the Location; without one, the Devices are at none. */
function MoveDevices({ records, onRun, onClose }: BulkDialogProps<Device>) {
  const { data } = useLocations();
  const edit = useEdit();
  const [locationId, setLocationId] = useState<string | null>(null);
  return (
    <Dialog title={words.moveTitle(records.length)} isOpen onClose={onClose}>
      <Stack gap="sm">
        <Select
          label={strings.ui.location}
          placeholder={words.noLocation}
          data={data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={locationId}
          onChange={setLocationId}
          searchable
          clearable
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {strings.ui.cancel}
          </Button>
          <Button
            onClick={() => {
              onClose();
              onRun(edit({ locationId }));
            }}
          >
            {words.moveAction}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
