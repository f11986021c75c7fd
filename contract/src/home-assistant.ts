import Type, { type Static } from 'typebox';
import { brokerUrl } from './broker-url.ts';
import { operation, permission } from './operation.ts';
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
  search,
  text,
} from './schema.ts';

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

const path = '/primary/v1/{organizationId}/home-assistant-connections';
const onePath = `${path}/{connectionId}` as const;
const shared = { tag: 'Home Assistant', access: permission('ManageIntegrations') } as const;
const tagged = {
  status: 200,
  description: 'The connection',
  body: HomeAssistantConnection,
  tagged: true,
} as const;

export const listHomeAssistantConnections = operation({
  ...shared,
  id: 'listHomeAssistantConnections',
  method: 'GET',
  path,
  summary: 'List the connections to Home Assistant, newest first',
  effect: 'read',
  query: Type.Object({ search: Type.Optional(search), ...paging }, closed),
  reply: {
    status: 200,
    description: 'A page of connections',
    body: listOf(HomeAssistantConnection),
  },
});

export const retrieveHomeAssistantConnection = operation({
  ...shared,
  id: 'retrieveHomeAssistantConnection',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a connection to Home Assistant',
  effect: 'read',
  reply: tagged,
});

export const createHomeAssistantConnection = operation({
  ...shared,
  id: 'createHomeAssistantConnection',
  method: 'POST',
  path,
  summary: 'Publish Devices to Home Assistant, by MQTT discovery at its broker',
  effect: 'write',
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
  reply: {
    status: 201,
    description: 'The connection',
    body: HomeAssistantConnection,
    tagged: true,
  },
  failures: ['CONFLICT'],
});

export const updateHomeAssistantConnection = operation({
  ...shared,
  id: 'updateHomeAssistantConnection',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a connection to Home Assistant; another url needs the password again',
  effect: 'write',
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
  reply: tagged,
});

export const deleteHomeAssistantConnection = operation({
  ...shared,
  id: 'deleteHomeAssistantConnection',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a connection to Home Assistant, and remove its Devices there',
  effect: 'write',
  reply: { status: 204, description: 'The connection is deleted', tagged: true },
});
