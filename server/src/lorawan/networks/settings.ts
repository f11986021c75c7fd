import {
  type Body,
  BROKER_URL_RULE,
  type FieldError,
  type LorawanNetwork,
  type Operations,
} from '@fieldwatch/contract';
import { brokerAddressOf, invalid, type Keyring } from '../../runtime/index.ts';
import { apiToken, brokerPassword, type NetworkName } from './secrets.ts';
import type { NetworkFields, NetworkRow } from './store.ts';

type CreateBody = Body<Operations['createLorawanNetwork']>;
type Given = { readonly [Name in 'mqtt' | 'api' | 'defaults']: CreateBody[Name] | undefined };

const NO_BROKER = {
  ...{ url: null, username: null, encryptedPassword: null, topicTemplate: null },
  caCertificate: null,
};

const NOTHING = {
  ...NO_BROKER,
  ...{ apiUrl: null, encryptedApiToken: null },
  ...{ deviceProfileId: null, frequencyPlanId: null, macVersion: null, phyVersion: null },
};

type Stored = Pick<NetworkRow, keyof typeof NOTHING>;

/** What a network connects to and registers with, after an edit of what was stored. */
export function settingsAfter(
  keyring: Keyring,
  network: NetworkName,
  given: Given,
  stored: Stored = NOTHING,
): Stored {
  return {
    ...brokerAfter(keyring, network, given.mqtt, stored),
    ...apiAfter(keyring, network, given.api, stored),
    ...defaultsAfter(given.defaults, stored),
  };
}

function brokerAfter(
  keyring: Keyring,
  network: NetworkName,
  mqtt: Given['mqtt'],
  stored: Stored,
): Pick<Stored, keyof typeof NO_BROKER> {
  const { url, username, encryptedPassword, topicTemplate, caCertificate } = stored;
  if (mqtt === undefined) return { url, username, encryptedPassword, topicTemplate, caCertificate };
  if (mqtt === null) return NO_BROKER;
  const secret = secretAfter('mqtt.password', mqtt.password, mqtt.url === url, encryptedPassword);
  return {
    ...{ url: mqtt.url, username: mqtt.username, topicTemplate: mqtt.topicTemplate },
    caCertificate: mqtt.caCertificate,
    encryptedPassword:
      typeof secret === 'string' ? brokerPassword.encrypt(keyring, network, secret) : secret,
  };
}

function apiAfter(
  keyring: Keyring,
  network: NetworkName,
  api: Given['api'],
  stored: Stored,
): Pick<Stored, 'apiUrl' | 'encryptedApiToken'> {
  const { apiUrl, encryptedApiToken } = stored;
  if (api === undefined) return { apiUrl, encryptedApiToken };
  if (api === null) return { apiUrl: null, encryptedApiToken: null };
  const secret = secretAfter('api.token', api.token, api.url === apiUrl, encryptedApiToken);
  return {
    apiUrl: api.url,
    encryptedApiToken:
      typeof secret === 'string' ? apiToken.encrypt(keyring, network, secret) : secret,
  };
}

/** A stored secret is sent to the server that it was given for, and to no other. */
function secretAfter(
  path: string,
  given: string | null | undefined,
  isSameUrl: boolean,
  stored: Buffer | null,
): string | Buffer | null {
  if (given !== undefined) return given;
  if (stored && !isSameUrl) throw invalid({ path, message: 'is required with another url' });
  return stored;
}

function defaultsAfter(
  given: Given['defaults'],
  { deviceProfileId, frequencyPlanId, macVersion, phyVersion }: Stored,
): Pick<Stored, 'deviceProfileId' | 'frequencyPlanId' | 'macVersion' | 'phyVersion'> {
  return given ?? { deviceProfileId, frequencyPlanId, macVersion, phyVersion };
}

/** Fails where the network lacks what it receives or registers by. */
export function requireComplete(
  kind: LorawanNetwork['kind'],
  fields: Pick<NetworkFields, 'ingest' | 'provisioning'> & Stored,
): void {
  const errors: FieldError[] = [];
  if (fields.ingest === 'MQTT' && fields.url === null) {
    errors.push({ path: 'mqtt', message: 'is required with the ingest MQTT' });
  }
  if (fields.url !== null && !brokerAddressOf(fields.url)) {
    errors.push({ path: 'mqtt.url', message: BROKER_URL_RULE });
  }
  if (fields.provisioning === 'PUSH') errors.push(...registrationErrors(kind, fields));
  if (errors.length > 0) throw invalid(...errors);
}

const NEEDED = {
  CHIRPSTACK_V4: ['deviceProfileId'],
  THE_THINGS_STACK_V3: ['frequencyPlanId', 'macVersion', 'phyVersion'],
} as const;

function registrationErrors(kind: LorawanNetwork['kind'], fields: Stored): FieldError[] {
  const message = 'is required with the provisioning PUSH';
  if (fields.apiUrl === null) return [{ path: 'api', message }];
  if (fields.encryptedApiToken === null) return [{ path: 'api.token', message }];
  const missing = NEEDED[kind]
    .filter((name) => fields[name] === null)
    .map((name) => ({ path: `defaults.${name}`, message: `${message} of this kind` }));
  return [...missing, ...versionErrors(fields)];
}

/** A sensor of LoRaWAN 1.1 has two root keys, and a Device has one: it could never join. */
function versionErrors({ macVersion }: Stored): FieldError[] {
  if (!macVersion?.startsWith('MAC_V1_1')) return [];
  const message =
    'must be of LoRaWAN 1.0 with the provisioning PUSH: sensors of 1.1 are registered by hand';
  return [{ path: 'defaults.macVersion', message }];
}
