import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type CreatedDevice, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';
import { CredentialsShown } from './credentials.tsx';
import { bodyOf, DeviceFields, type DeviceValues, emptyDevice } from './device-fields.tsx';

const words = strings.devices;

/** Makes a Device, and shows its password the only time that it can be. */
export function DeviceCreation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<CreatedDevice | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog
      title={made ? words.form.created : words.form.create}
      isOpen={isOpen}
      onClose={close}
      size="lg"
    >
      {made ? (
        <Made device={made} onDone={close} />
      ) : (
        <DeviceCreationForm onMade={setMade} onCancel={close} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly onMade: (device: CreatedDevice) => void;
  readonly onCancel?: () => void;
}

/** Tells what was made; its password is in there and nowhere else. */
export function DeviceCreationForm({ onMade, onCancel }: FormProps) {
  const create = useWrite('createDevice');
  const serverForm = useServerForm<DeviceValues>({
    initialValues: emptyDevice,
    send: async (values) => onMade(await create.mutateAsync({ body: bodyOf(values) })),
    told: null,
  });
  return (
    <FormBody serverForm={serverForm} onCancel={onCancel}>
      <DeviceFields form={serverForm.form} isNew />
    </FormBody>
  );
}

function Made({ device, onDone }: { device: CreatedDevice; onDone: () => void }) {
  const navigate = useNavigate();
  const go = () => {
    onDone();
    void navigate({ to: `/devices/${device.id}` });
  };
  return (
    <Stack gap="sm">
      <CredentialsShown deviceId={device.id} credentials={device.credentials} />
      <Group justify="flex-end">
        <Button onClick={go}>{words.credentials.done}</Button>
      </Group>
    </Stack>
  );
}
