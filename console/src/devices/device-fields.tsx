import { DEVICE_TYPES, type DeviceType, RF_REGIONS } from '@fieldwatch/contract';
import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useLocations } from '../references/index.ts';
import type { Device, NewDevice } from '../service/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.devices.form;

export interface DeviceValues extends Record<string, unknown> {
  type: DeviceType;
  name: string;
  description: string;
  locationId: string | null;
  configuration: {
    gatewayEui: string;
    rfRegion: string;
    subBand: number | string;
    devEui: string;
    appEui: string;
    appKey: string;
  };
}

export const emptyDevice: DeviceValues = {
  type: 'CUSTOM_DEVICE',
  name: '',
  description: '',
  locationId: null,
  configuration: {
    gatewayEui: '',
    rfRegion: 'EU868',
    subBand: '',
    devEui: '',
    appEui: '',
    appKey: '',
  },
};

export function valuesOf(device: Device): DeviceValues {
  const { type, name, description, locationId, configuration } = device;
  return {
    type,
    name,
    description,
    locationId,
    configuration: { ...emptyDevice.configuration, ...configuration },
  };
}

const isGateway = (type: DeviceType) => type.startsWith('LORAWAN_GATEWAY');

/** The body for a type; the server refuses fields of other types. */
export function bodyOf(values: DeviceValues): NewDevice {
  const { type, name, description, locationId, configuration } = values;
  const plain = { type, name, description, locationId };
  const { gatewayEui, rfRegion, subBand, devEui, appEui, appKey } = configuration;
  if (isGateway(type)) {
    const band = subBand === '' ? {} : { subBand: Number(subBand) };
    return { ...plain, configuration: { gatewayEui, rfRegion, ...band } } as NewDevice;
  }
  if (type === 'LORAWAN_DEVICE') {
    return { ...plain, configuration: { devEui, appEui, appKey } } as NewDevice;
  }
  return plain as NewDevice;
}

interface Props {
  readonly form: UseFormReturnType<DeviceValues>;
  /** The type of a Device cannot be changed. */
  readonly isNew: boolean;
}

export function DeviceFields({ form, isNew }: Props) {
  const { data: locations } = useLocations();
  const { type } = form.values;
  return (
    <>
      <TextInput
        label={strings.ui.name}
        description={words.nameHint}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label={words.type}
        data={DEVICE_TYPES.map((value) => ({ value, label: strings.devices.types[value] }))}
        allowDeselect={false}
        disabled={!isNew}
        {...form.getInputProps('type')}
      />
      {isGateway(type) ? <GatewayFields form={form} /> : null}
      {type === 'LORAWAN_DEVICE' ? <LorawanFields form={form} /> : null}
      <Select
        label={strings.ui.location}
        data={(locations?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        {...form.getInputProps('locationId')}
      />
      <Textarea
        label={strings.ui.description}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
    </>
  );
}

function GatewayFields({ form }: Pick<Props, 'form'>) {
  const { rfRegion } = form.values.configuration;
  const hasSubBand = rfRegion === 'US915' || rfRegion === 'AU915';
  return (
    <>
      <TextInput label={words.gatewayEui} {...form.getInputProps('configuration.gatewayEui')} />
      <Select
        label={words.rfRegion}
        data={[...RF_REGIONS]}
        allowDeselect={false}
        {...form.getInputProps('configuration.rfRegion')}
        onChange={(region) => {
          form.setFieldValue('configuration.rfRegion', region ?? 'EU868');
          form.setFieldValue('configuration.subBand', '');
        }}
      />
      {hasSubBand ? (
        <NumberInput
          label={words.subBand}
          min={1}
          max={8}
          {...form.getInputProps('configuration.subBand')}
        />
      ) : null}
    </>
  );
}

function LorawanFields({ form }: Pick<Props, 'form'>) {
  return (
    <>
      <TextInput label={words.devEui} {...form.getInputProps('configuration.devEui')} />
      <TextInput label={words.appEui} {...form.getInputProps('configuration.appEui')} />
      <TextInput label={words.appKey} {...form.getInputProps('configuration.appKey')} />
    </>
  );
}
