import Type, { type Static } from 'typebox';
import { brokerUrl } from './broker-url.ts';
import {
  apiGiven,
  apiShown,
  provisioning,
  registrationDefaults,
  registrationDefaultsGiven,
} from './lorawan-provisioning.ts';
import { operation, permission } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import {
  closed,
  DateTime,
  defaulted,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  text,
} from './schema.ts';

export const LORAWAN_NETWORK_KINDS = ['CHIRPSTACK_V4', 'THE_THINGS_STACK_V3'] as const;

export type LorawanNetworkKind = (typeof LORAWAN_NETWORK_KINDS)[number];

export const LORAWAN_INGESTS = ['MQTT', 'WEBHOOK'] as const;

export type LorawanIngest = (typeof LORAWAN_INGESTS)[number];

/** One level of a topic. */
const topicLevel = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\s/+#]*$',
    'x-messages': { pattern: 'must be without spaces, /, + and #' },
    description,
  });

const applicationId = topicLevel('The application at the network server');
const tenantId = nullable(topicLevel('The tenant at The Things Stack; null for its open source'));

const MAX_GATEWAY_PREFIXES = 20;

const gatewayPrefixes = Type.Array(topicLevel('A region of ChirpStack, such as eu868'), {
  maxItems: MAX_GATEWAY_PREFIXES,
  uniqueItems: true,
  description: 'The topics of gateways, which are followed for their state',
});

const topicTemplate = nullable(
  Type.String({
    maxLength: 300,
    pattern: '^(?=.*\\{devEui\\})(?=.*\\{event\\})[^\\s+#]+$',
    'x-messages': { pattern: 'must be a topic with {devEui} and {event}' },
    description: 'Where ChirpStack has another topic than its default; null means the default',
    examples: ['application/{applicationId}/device/{devEui}/event/{event}'],
  }),
);

const username = nullable(text(1, 256));
const password = nullable(text(1, 256, 'Stored encrypted and never shown'));
const caCertificate = nullable(
  Type.String({
    maxLength: 20_000,
    pattern: '^\\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s-]+-----END CERTIFICATE-----\\s*$',
    'x-messages': { pattern: 'must be certificates in the form PEM' },
    description:
      'Authorities that the certificate of the broker is checked with; null for the known',
  }),
);
const mqttFields = { url: brokerUrl('The MQTT broker of the network server') };

const mqttShown = Type.Object(
  { ...mqttFields, username, hasPassword: Type.Boolean(), topicTemplate, caCertificate },
  closed,
);

const mqttGiven = Type.Object(
  {
    ...mqttFields,
    username: defaulted(username, null),
    password: Type.Optional(password),
    topicTemplate: defaulted(topicTemplate, null),
    caCertificate: defaulted(caCertificate, null),
  },
  closed,
);

const state = Type.Object(
  {
    isConnected: Type.Boolean(),
    lastConnectedDateTime: nullable(DateTime),
    lastEventDateTime: nullable(DateTime),
    lastError: nullable(Type.String()),
    eventsPerMinute: Type.Integer({ minimum: 0 }),
  },
  closed,
);

const fields = {
  id: Id,
  name: name(1, 100),
  kind: oneOf(LORAWAN_NETWORK_KINDS),
  isActive: Type.Boolean(),
  ingest: oneOf(LORAWAN_INGESTS),
  mqtt: nullable(mqttShown),
  applicationId,
  tenantId,
  gatewayPrefixes,
  provisioning,
  api: nullable(apiShown),
  defaults: registrationDefaults,
  state,
  createdDateTime: DateTime,
  updatedDateTime: DateTime,
};

export const LorawanNetwork = Type.Object(fields, closed);

export type LorawanNetwork = Static<typeof LorawanNetwork>;

export const UnknownLorawanDevice = Type.Object(
  {
    devEui: Type.String(),
    name: nullable(Type.String()),
    lastDateTime: DateTime,
    count: Type.Integer({ minimum: 1 }),
    lastPayloadHex: nullable(Type.String()),
  },
  closed,
);

const networks = recordOperations({
  tag: 'LoRaWAN',
  path: '/primary/v1/{organizationId}/lorawan-networks',
  idName: 'networkId',
  record: LorawanNetwork,
  listed: LorawanNetwork,
  names: ['network', 'networks'],
  reading: permission('ManageLorawan'),
  managing: permission('ManageLorawan'),
});
const shared = { tag: 'LoRaWAN', access: permission('ManageLorawan') } as const;

export const listLorawanNetworks = operation({
  ...networks.list,
  id: 'listLorawanNetworks',
  summary: 'List the network servers of LoRaWAN, newest first',
});

export const retrieveLorawanNetwork = operation({
  ...networks.retrieve,
  id: 'retrieveLorawanNetwork',
  summary: 'Retrieve a network with the state of its connection',
});

export const createLorawanNetwork = operation({
  ...networks.create,
  id: 'createLorawanNetwork',
  summary: 'Receive the uplinks of a network server',
  body: Type.Object(
    {
      name: fields.name,
      kind: fields.kind,
      isActive: defaulted(Type.Boolean(), true),
      ingest: fields.ingest,
      mqtt: Type.Optional(nullable(mqttGiven)),
      applicationId,
      tenantId: defaulted(tenantId, null),
      gatewayPrefixes: defaulted(gatewayPrefixes, []),
      provisioning: defaulted(provisioning, 'NONE'),
      api: Type.Optional(nullable(apiGiven)),
      defaults: Type.Optional(registrationDefaultsGiven),
    },
    closed,
  ),
  failures: ['CONFLICT'],
});

export const updateLorawanNetwork = operation({
  ...networks.update,
  id: 'updateLorawanNetwork',
  summary: 'Change a network; another url of its broker needs the password again',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      isActive: Type.Optional(Type.Boolean()),
      ingest: Type.Optional(fields.ingest),
      mqtt: Type.Optional(nullable(mqttGiven)),
      applicationId: Type.Optional(applicationId),
      tenantId: Type.Optional(tenantId),
      gatewayPrefixes: Type.Optional(gatewayPrefixes),
      provisioning: Type.Optional(provisioning),
      api: Type.Optional(nullable(apiGiven)),
      defaults: Type.Optional(registrationDefaultsGiven),
    },
    closed,
  ),
});

export const deleteLorawanNetwork = operation({
  ...networks.remove,
  id: 'deleteLorawanNetwork',
  summary: 'Delete a network; its Devices and their history stay',
});

export const listUnknownLorawanDevices = operation({
  ...shared,
  id: 'listUnknownLorawanDevices',
  method: 'GET',
  path: `${networks.onePath}/unknown-devices`,
  summary: 'List the sensors that sent through a network and are no Devices, the latest first',
  effect: 'read',
  query: Type.Object({ ...paging }, closed),
  reply: { status: 200, description: 'A page of sensors', body: listOf(UnknownLorawanDevice) },
});

export const receiveLorawanEvent = operation({
  id: 'receiveLorawanEvent',
  method: 'POST',
  path: `${networks.onePath}/events`,
  tag: 'LoRaWAN',
  summary: 'Receive an event of the network server, as its webhooks send it',
  access: permission('WriteReadings'),
  effect: 'ingest',
  query: Type.Object(
    { event: Type.Optional(text(1, 50, 'The kind of event, as ChirpStack sends it')) },
    closed,
  ),
  body: Type.Unsafe<object>({ type: 'object', description: 'The event, as the server sends it' }),
  reply: {
    status: 200,
    description: 'The event is durable, or of a kind that is not stored',
    body: Type.Object({ isStored: Type.Boolean() }, closed),
  },
  failures: ['CONFLICT'],
});
