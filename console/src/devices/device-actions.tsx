import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { IconArchive, IconDots, IconPower, IconRestore, IconTrash } from '../icons/index.ts';
import { type Device, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, ConfirmOperation, EditButton } from '../ui/index.ts';
import { useIsArchived } from './archived.ts';
import { DeviceEdit } from './device-edit.tsx';

const words = strings.devices;
const icon = { size: 16, 'aria-hidden': true } as const;

/** The actions on a Device, by the user's permissions. */
export function DeviceActions({ device }: { device: Device }) {
  const { may } = useSession();
  const [asking, setAsking] = useState<'edit' | 'archive' | 'delete' | null>(null);
  const update = useWrite('updateDevice');
  const deviceId = device.id;
  const close = () => setAsking(null);
  const toggle = () =>
    attempt(
      update.mutateAsync({
        deviceId,
        body: { type: device.type, isActive: !device.isActive } as never,
      }),
      strings.ui.saved,
    );
  if (!may('UpdateDevice') && !may('DeleteDevice')) return null;
  return (
    <>
      {may('UpdateDevice') ? <EditButton onClick={() => setAsking('edit')} /> : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={strings.ui.more}>
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {may('UpdateDevice') ? (
            <Menu.Item leftSection={<IconPower {...icon} />} onClick={() => void toggle()}>
              {device.isActive ? words.deactivate : words.activate}
            </Menu.Item>
          ) : null}
          {may('DeleteDevice') ? (
            <>
              <ArchiveItem device={device} onArchive={() => setAsking('archive')} />
              <Menu.Item
                color="red"
                c="red"
                leftSection={<IconTrash {...icon} />}
                onClick={() => setAsking('delete')}
              >
                {strings.ui.remove}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <DeviceEdit device={asking === 'edit' ? device : null} onClose={close} />
      <Archiving device={device} isOpen={asking === 'archive'} onClose={close} />
      <Deletion device={device} isOpen={asking === 'delete'} onClose={close} />
    </>
  );
}

interface ArchiveItemProps {
  readonly device: Device;
  readonly onArchive: () => void;
}

/** Archives the Device, or restores it, whichever its state allows. */
function ArchiveItem({ device, onArchive }: ArchiveItemProps) {
  const isArchived = useIsArchived(device);
  const restore = useWrite('restoreDevice');
  if (isArchived === undefined) return null;
  if (!isArchived) {
    return (
      <Menu.Item leftSection={<IconArchive {...icon} />} onClick={onArchive}>
        {strings.ui.archive}
      </Menu.Item>
    );
  }
  const onRestore = () =>
    attempt(restore.mutateAsync({ deviceId: device.id }), strings.ui.restored);
  return (
    <Menu.Item leftSection={<IconRestore {...icon} />} onClick={() => void onRestore()}>
      {strings.ui.restore}
    </Menu.Item>
  );
}

interface AskProps {
  readonly device: Device;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Archiving({ device, isOpen, onClose }: AskProps) {
  return (
    <ConfirmOperation
      operation="archiveDevice"
      input={{ deviceId: device.id }}
      name={device.name}
      action={strings.ui.archive}
      done={strings.ui.archived}
      isOpen={isOpen}
      onClose={onClose}
    >
      {words.archiveText}
    </ConfirmOperation>
  );
}

function Deletion({ device, isOpen, onClose }: AskProps) {
  const variables = useRead(
    'listDeviceVariables',
    { deviceId: device.id, query: { take: 1 } },
    { enabled: isOpen },
  );
  return (
    <ConfirmOperation
      operation="deleteDevice"
      input={{ deviceId: device.id }}
      name={device.name}
      action={strings.ui.remove}
      done={strings.ui.deleted}
      isTyped
      leaveTo="/devices"
      isOpen={isOpen}
      onClose={onClose}
    >
      {words.removeText(variables.data?.count ?? 0)}
    </ConfirmOperation>
  );
}
