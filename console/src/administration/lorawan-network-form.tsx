import { LORAWAN_INGESTS, LORAWAN_NETWORK_KINDS } from '@fieldwatch/contract';
import { PasswordInput, Select, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type LorawanNetwork, useEdited, useWrite } from '../service/index.ts';
import { lorawan } from '../strings/index.ts';
import { FormBody, useServerForm } from '../ui/index.ts';
import {
  RegistrationFields,
  registrationBodyOf,
  registrationValuesOf,
} from './lorawan-registration-fields.tsx';

const words = lorawan.networks;

function valuesOf(network: LorawanNetwork | null) {
  return {
    name: network?.name ?? '',
    kind: network?.kind ?? ('CHIRPSTACK_V4' as LorawanNetwork['kind']),
    ingest: network?.ingest ?? ('MQTT' as LorawanNetwork['ingest']),
    mqtt: {
      url: network?.mqtt?.url ?? 'mqtt://',
      username: network?.mqtt?.username ?? '',
      password: '',
      topicTemplate: network?.mqtt?.topicTemplate ?? null,
      caCertificate: network?.mqtt?.caCertificate ?? '',
    },
    applicationId: network?.applicationId ?? '',
    tenantId: network?.tenantId ?? '',
    gatewayPrefixes: (network?.gatewayPrefixes ?? []).join(', '),
    ...registrationValuesOf(network),
    isActive: network?.isActive ?? true,
  };
}

type Values = ReturnType<typeof valuesOf>;

/** An empty password keeps the stored one; without a user name there is none. */
function mqttOf({ ingest, mqtt }: Values) {
  if (ingest === 'WEBHOOK') return null;
  const { username, password, caCertificate, ...others } = mqtt;
  const given = { ...others, caCertificate: caCertificate.trim() === '' ? null : caCertificate };
  if (username === '') return { ...given, username: null, password: null };
  return { ...given, username, ...(password === '' ? {} : { password }) };
}

function bodyOf(values: Values) {
  const { kind: _, tenantId, gatewayPrefixes, ...given } = values;
  return {
    ...given,
    ...registrationBodyOf(values),
    mqtt: mqttOf(values),
    tenantId: tenantId === '' ? null : tenantId,
    gatewayPrefixes: gatewayPrefixes.split(/[\s,]+/).filter((each) => each !== ''),
  };
}

interface FormProps {
  readonly network: LorawanNetwork | null;
  readonly onClose: () => void;
}

const optionsOf = <K extends string>(keys: readonly K[], labels: Readonly<Record<K, string>>) =>
  keys.map((value) => ({ value, label: labels[value] }));

export function LorawanNetworkForm({ network, onClose }: FormProps) {
  const create = useWrite('createLorawanNetwork');
  const update = useWrite('updateLorawanNetwork');
  const serverForm = useServerForm({
    initialValues: valuesOf(network),
    edited: useEdited('retrieveLorawanNetwork', network && { networkId: network.id }, valuesOf),
    send: async (values, ifMatch) => {
      const body = bodyOf(values);
      if (network) await update.mutateAsync({ networkId: network.id, body, ifMatch });
      else await create.mutateAsync({ body: { ...body, kind: values.kind } });
    },
    onClose,
  });
  const { form } = serverForm;
  const { kind, ingest } = form.getValues();
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Select
        label={words.kind}
        data={optionsOf(LORAWAN_NETWORK_KINDS, words.kinds)}
        allowDeselect={false}
        disabled={network !== null}
        {...form.getInputProps('kind')}
      />
      <Select
        label={words.ingest}
        data={optionsOf(LORAWAN_INGESTS, words.ingests)}
        allowDeselect={false}
        {...form.getInputProps('ingest')}
      />
      <Text size="sm">{ingest === 'MQTT' ? words.ingestHint[kind] : words.webhookHint}</Text>
      {ingest === 'MQTT' ? (
        <BrokerFields form={form} hasPassword={network?.mqtt?.hasPassword ?? false} />
      ) : null}
      <TextInput label={words.applicationId} {...form.getInputProps('applicationId')} />
      {kind === 'THE_THINGS_STACK_V3' ? (
        <TextInput
          label={words.tenantId}
          description={words.tenantHint}
          {...form.getInputProps('tenantId')}
        />
      ) : (
        <TextInput
          label={words.gatewayPrefixes}
          description={words.gatewayPrefixesHint}
          {...form.getInputProps('gatewayPrefixes')}
        />
      )}
      <RegistrationFields form={form} kind={kind} hasToken={network?.api?.hasToken ?? false} />
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormBody>
  );
}

interface BrokerProps {
  readonly form: UseFormReturnType<Values>;
  readonly hasPassword: boolean;
}

function BrokerFields({ form, hasPassword }: BrokerProps) {
  return (
    <>
      <TextInput
        label={words.url}
        description={words.urlHint}
        {...form.getInputProps('mqtt.url')}
      />
      <TextInput
        label={words.username}
        autoComplete="off"
        {...form.getInputProps('mqtt.username')}
      />
      <PasswordInput
        label={words.password}
        description={hasPassword ? words.passwordHint : undefined}
        autoComplete="new-password"
        {...form.getInputProps('mqtt.password')}
      />
      <Textarea
        label={words.caCertificate}
        description={words.caCertificateHint}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('mqtt.caCertificate')}
      />
    </>
  );
}
