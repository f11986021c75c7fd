import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type CreatedDevice, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { attempt, Dialog, FormBody, useServerForm } from '../ui/index.ts';
import { CredentialsShown } from './credentials.tsx';
import { bodyOf, DeviceFields, type DeviceValues, emptyDevice } from './device-fields.tsx';
import { hasRadio, isGateway, NO_CHOICES, RadioChoices } from './radio-choices.tsx';

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
        <CreatedCredentials device={made} onDone={close} />
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
  const updateRadio = useWrite('updateLorawanDevice');
  const [choices, setChoices] = useState(NO_CHOICES);
  const serverForm = useServerForm<DeviceValues>({
    initialValues: emptyDevice,
    send: async (values) => {
      const device = await create.mutateAsync({ body: bodyOf(values) });
      const isChosen = choices.networkId !== null || choices.codecId !== null;
      if (hasRadio(values) && isChosen) {
        const body = isGateway(values) ? { networkId: choices.networkId } : choices;
        const saved = updateRadio.mutateAsync({ deviceId: device.id, body });
        await attempt(saved, strings.ui.saved);
      }
      onMade(device);
    },
    doneMessage: null,
  });
  return (
    <FormBody serverForm={serverForm} onCancel={onCancel}>
      <DeviceFields form={serverForm.form} isNew />
      {hasRadio(serverForm.form.values) ? (
        <RadioChoices
          device={serverForm.form.values}
          choices={choices}
          onChange={(changed) => setChoices({ ...choices, ...changed })}
        />
      ) : null}
    </FormBody>
  );
}

function CreatedCredentials({ device, onDone }: { device: CreatedDevice; onDone: () => void }) {
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
