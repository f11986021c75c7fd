import Type from 'typebox';
import { closed, defaulted, nullable, oneOf, text } from './schema.ts';

export const LORAWAN_PROVISIONINGS = ['NONE', 'PUSH'] as const;

export type LorawanProvisioning = (typeof LORAWAN_PROVISIONINGS)[number];

/** Whether a sensor is registered at its network server. */
export const PROVISIONING_STATES = [
  'NOT_MANAGED',
  'PENDING',
  'REGISTERED',
  'FAILED',
  'REMOVING',
] as const;

export type ProvisioningState = (typeof PROVISIONING_STATES)[number];

export const provisioning = oneOf(LORAWAN_PROVISIONINGS);

const apiUrl = Type.String({
  maxLength: 500,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]+/?$',
  'x-messages': { pattern: 'must be an http or https URL of a host, without credentials' },
  description: 'The API of the network server',
  examples: ['https://chirpstack.example.com'],
});

export const apiShown = Type.Object({ url: apiUrl, hasToken: Type.Boolean() }, closed);

export const apiGiven = Type.Object(
  {
    url: apiUrl,
    token: Type.Optional(nullable(text(1, 2_000, 'Stored encrypted and never shown'))),
  },
  closed,
);

const code = (description: string) =>
  nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[A-Za-z0-9_.-]*$',
      'x-messages': { pattern: 'must be letters, digits, _, . and -' },
      description,
    }),
  );

export const deviceProfileId = code('The device profile at ChirpStack');

const defaultFields = {
  deviceProfileId,
  frequencyPlanId: code('Such as EU_863_870_TTN, of The Things Stack'),
  macVersion: code('Such as MAC_V1_0_3, of The Things Stack'),
  phyVersion: code('Such as PHY_V1_0_3_REV_A, of The Things Stack'),
};

export const registrationDefaults = Type.Object(defaultFields, closed);

export const registrationDefaultsGiven = Type.Object(
  {
    deviceProfileId: defaulted(defaultFields.deviceProfileId, null),
    frequencyPlanId: defaulted(defaultFields.frequencyPlanId, null),
    macVersion: defaulted(defaultFields.macVersion, null),
    phyVersion: defaulted(defaultFields.phyVersion, null),
  },
  closed,
);

export const provisioned = Type.Object(
  {
    state: oneOf(PROVISIONING_STATES),
    error: nullable(Type.String({ description: 'Why it is not registered, and what to do' })),
  },
  closed,
);
