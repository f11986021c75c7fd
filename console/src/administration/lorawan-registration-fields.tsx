import { LORAWAN_PROVISIONINGS } from '@fieldwatch/contract';
import { PasswordInput, Select, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { LorawanNetwork } from '../service/index.ts';
import { lorawan } from '../strings/index.ts';

const words = lorawan.registration;

export interface RegistrationValues {
  readonly provisioning: LorawanNetwork['provisioning'];
  readonly api: { readonly url: string; readonly token: string };
  readonly defaults: Record<keyof LorawanNetwork['defaults'], string>;
}

export function registrationValuesOf(network: LorawanNetwork | null): RegistrationValues {
  const { deviceProfileId, frequencyPlanId, macVersion, phyVersion } = network?.defaults ?? {};
  return {
    provisioning: network?.provisioning ?? 'NONE',
    api: { url: network?.api?.url ?? '', token: '' },
    defaults: {
      deviceProfileId: deviceProfileId ?? '',
      frequencyPlanId: frequencyPlanId ?? '',
      macVersion: macVersion ?? '',
      phyVersion: phyVersion ?? '',
    },
  };
}

const filled = (text: string) => (text === '' ? null : text);

/** An empty token keeps the stored one. */
export function registrationBodyOf({ provisioning, api, defaults }: RegistrationValues) {
  const { deviceProfileId, frequencyPlanId, macVersion, phyVersion } = defaults;
  const token = api.token === '' ? {} : { token: api.token };
  return {
    provisioning,
    api: api.url === '' ? null : { url: api.url, ...token },
    defaults: {
      deviceProfileId: filled(deviceProfileId),
      frequencyPlanId: filled(frequencyPlanId),
      macVersion: filled(macVersion),
      phyVersion: filled(phyVersion),
    },
  };
}

const DEFAULTS = {
  CHIRPSTACK_V4: ['deviceProfileId'],
  THE_THINGS_STACK_V3: ['frequencyPlanId', 'macVersion', 'phyVersion'],
} as const;

interface Props<Values extends RegistrationValues> {
  readonly form: UseFormReturnType<Values>;
  readonly kind: LorawanNetwork['kind'];
  readonly hasToken: boolean;
}

/** Whether and how sensors are registered at the network server. */
export function RegistrationFields<Values extends RegistrationValues>({
  form,
  kind,
  hasToken,
}: Props<Values>) {
  const { provisioning } = form.getValues();
  const isPush = provisioning === 'PUSH';
  const isPolled = kind === 'THE_THINGS_STACK_V3';
  return (
    <>
      <Select
        label={words.title}
        data={LORAWAN_PROVISIONINGS.map((value) => ({ value, label: words.ways[value] }))}
        allowDeselect={false}
        {...form.getInputProps('provisioning')}
      />
      {isPush || isPolled ? (
        <>
          {isPush ? <Text size="sm">{words.hint}</Text> : null}
          {isPolled ? <Text size="sm">{words.pollHint}</Text> : null}
          <TextInput
            label={words.url}
            description={words.urlHint[kind]}
            {...form.getInputProps('api.url')}
          />
          <PasswordInput
            label={words.token}
            description={hasToken ? words.tokenHint : undefined}
            autoComplete="new-password"
            {...form.getInputProps('api.token')}
          />
        </>
      ) : null}
      {isPush
        ? DEFAULTS[kind].map((name) => (
            <TextInput
              key={name}
              label={words.defaults[name]}
              placeholder={words.examples[name]}
              {...form.getInputProps(`defaults.${name}`)}
            />
          ))
        : null}
    </>
  );
}
