import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type CreatedDevice, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';
import { CredentialsShown } from './credentials.tsx';
import { bodyOf, DeviceFields, type DeviceValues, emptyDevice } from './device-fields.tsx';

const words = strings.devices;

/** Creates a Device and shows its password, which cannot be read again. */
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
        <PlotDefinition device={made} onDone={close} />
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

/** Called with the created Device, the only reply with its password. */
export function DeviceCreationForm({ onMade, onCancel }: FormProps) {
  const create = useWrite('createDevice');
  const serverForm = useServerForm<DeviceValues>({
    initialValues: emptyDevice,
    send: async (values) => onMade(await create.mutateAsync({ body: bodyOf(values) })),
    doneMessage: null,
  });
  return (
    <FormBody serverForm={serverForm} onCancel={onCancel}>
      <DeviceFields form={serverForm.form} isNew />
    </FormBody>
  );
}

function PlotDefinition({ device, onDone }: { device: CreatedDevice; onDone: () => void }) {
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
