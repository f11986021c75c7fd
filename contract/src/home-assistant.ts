import Type, { type Static } from 'typebox';
import { brokerUrl } from './broker-url.ts';
import { operation, permission } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Id, name, nullable, oneOf, text } from './schema.ts';

const url = brokerUrl('The MQTT broker of Home Assistant');

const discoveryPrefix = Type.String({
  maxLength: 100,
  pattern: '^[\\w-]+(?:/[\\w-]+)*$',
  'x-messages': { pattern: 'must be a topic of letters, digits, _ and -' },
});

export const MAX_HOME_ASSISTANT_LOCATIONS = 100;

const locationIds = Type.Array(Id, {
  maxItems: MAX_HOME_ASSISTANT_LOCATIONS,
  uniqueItems: true,
  description: 'Publishes the Devices at these Locations and those below them; none means all',
});

const username = nullable(text(1, 256));
const password = nullable(text(1, 256, 'Stored encrypted and never shown'));

export const HOME_ASSISTANT_STATES = ['INACTIVE', 'CONNECTING', 'CONNECTED', 'FAILED'] as const;

const status = Type.Object(
  {
    state: oneOf(HOME_ASSISTANT_STATES),
    sinceDateTime: DateTime,
    message: nullable(Type.String()),
    deviceCount: Type.Integer({ minimum: 0 }),
  },
  closed,
);

const fields = {
  id: Id,
  name: name(1, 100),
  url,
  username,
  hasPassword: Type.Boolean(),
  discoveryPrefix,
  locationIds,
  isActive: Type.Boolean(),
  status,
  createdDateTime: DateTime,
  updatedDateTime: DateTime,
};

export const HomeAssistantConnection = Type.Object(fields, closed);

export type HomeAssistantConnection = Static<typeof HomeAssistantConnection>;

const connections = recordOperations({
  tag: 'Home Assistant',
  path: '/primary/v1/{organizationId}/home-assistant-connections',
  idName: 'connectionId',
  record: HomeAssistantConnection,
  listed: HomeAssistantConnection,
  names: ['connection', 'connections'],
  reading: permission('ManageIntegrations'),
  managing: permission('ManageIntegrations'),
});

export const listHomeAssistantConnections = operation({
  ...connections.list,
  id: 'listHomeAssistantConnections',
  summary: 'List the connections to Home Assistant, newest first',
});

export const retrieveHomeAssistantConnection = operation({
  ...connections.retrieve,
  id: 'retrieveHomeAssistantConnection',
  summary: 'Retrieve a connection to Home Assistant',
});

export const createHomeAssistantConnection = operation({
  ...connections.create,
  id: 'createHomeAssistantConnection',
  summary: 'Publish Devices to Home Assistant, by MQTT discovery at its broker',
  body: Type.Object(
    {
      name: fields.name,
      url,
      username: Type.Optional(username),
      password: Type.Optional(password),
      discoveryPrefix: defaulted(discoveryPrefix, 'homeassistant'),
      locationIds: defaulted(locationIds, []),
      isActive: defaulted(Type.Boolean(), true),
    },
    closed,
  ),
  failures: ['CONFLICT'],
});

export const updateHomeAssistantConnection = operation({
  ...connections.update,
  id: 'updateHomeAssistantConnection',
  summary: 'Change a connection to Home Assistant; another url needs the password again',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      url: Type.Optional(url),
      username: Type.Optional(username),
      password: Type.Optional(password),
      discoveryPrefix: Type.Optional(discoveryPrefix),
      locationIds: Type.Optional(locationIds),
      isActive: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
});

export const deleteHomeAssistantConnection = operation({
  ...connections.remove,
  id: 'deleteHomeAssistantConnection',
  summary: 'Delete a connection to Home Assistant, and remove its Devices there',
});
