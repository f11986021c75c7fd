import { Select, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type LorawanNetwork, useRead, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { lorawan } from '../strings/index.ts';
import { Dialog, FormBody, useServerForm } from '../ui/index.ts';

const words = lorawan.sensor;
const MIN_NAME = 5;
const MAX_CODECS = 200;
const NO_EUI = '0'.repeat(16);
const NO_KEY = '0'.repeat(32);

/** A sensor that sent and is no Device. */
export interface UnknownSensor {
  readonly devEui: string;
  readonly name: string | null;
}

interface Props {
  readonly network: LorawanNetwork;
  readonly sensor: UnknownSensor | null;
  readonly onClose: () => void;
}

/** Makes a Device of a sensor, with what its uplinks reported. */
export function SensorCreation({ network, sensor, onClose }: Props) {
  return (
    <Dialog title={words.create} isOpen={sensor !== null} onClose={onClose}>
      {sensor ? <SensorForm network={network} sensor={sensor} onClose={onClose} /> : null}
    </Dialog>
  );
}

/** The name at the network server may be too short for a Device. */
function nameOf({ devEui, name }: UnknownSensor): string {
  return name !== null && name.length >= MIN_NAME ? name : words.named(name ?? devEui);
}

function SensorForm({ network, sensor, onClose }: Props & { readonly sensor: UnknownSensor }) {
  const navigate = useNavigate();
  const { may } = useSession();
  const create = useWrite('createDevice');
  const update = useWrite('updateLorawanDevice');
  const codecs = useRead(
    'listCodecs',
    { query: { take: MAX_CODECS } },
    { enabled: may('ManageCodecs') },
  );
  const isRegistered = network.provisioning === 'PUSH';
  const serverForm = useServerForm({
    initialValues: {
      name: nameOf(sensor),
      configuration: { appEui: '', appKey: '' },
      codecId: null as string | null,
    },
    send: async ({ name, configuration, codecId }) => {
      const keys = isRegistered ? configuration : { appEui: NO_EUI, appKey: NO_KEY };
      const device = await create.mutateAsync({
        body: {
          type: 'LORAWAN_DEVICE',
          name,
          configuration: { devEui: sensor.devEui, ...keys },
        },
      });
      const body = { networkId: network.id, codecId };
      await update.mutateAsync({ deviceId: device.id, body });
      void navigate({ to: `/devices/${device.id}?tab=radio` });
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <Text size="sm">{words.of(sensor.devEui, network.name)}</Text>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      {isRegistered ? (
        <>
          <TextInput label={words.appEui} {...form.getInputProps('configuration.appEui')} />
          <TextInput label={words.appKey} {...form.getInputProps('configuration.appKey')} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {words.noKeys}
        </Text>
      )}
      <Select
        label={lorawan.radio.codec}
        description={lorawan.radio.codecHint}
        placeholder={lorawan.radio.none}
        data={(codecs.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        clearable
        searchable
        {...form.getInputProps('codecId')}
      />
    </FormBody>
  );
}
