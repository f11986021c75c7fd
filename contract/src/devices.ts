import Type, { type Static } from 'typebox';
import {
  DEVICE_TYPES,
  GatewayConfiguration,
  LORAWAN_GATEWAY_TYPES,
  LorawanConfiguration,
  lorawanFields,
  PLAIN_TYPES,
  RF_REGIONS,
  subBandError,
} from './device-configuration.ts';
import { anyCredential, operation, permission } from './operation.ts';
import {
  archivedScope,
  byType,
  closed,
  DateTime,
  defaulted,
  hex,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  search,
  text,
} from './schema.ts';

const record = {
  id: Id,
  name: name(5, 100),
  description: text(0, 500),
  type: oneOf(DEVICE_TYPES),
  isActive: Type.Boolean(),
  isOnline: Type.Boolean(),
  locationId: nullable(Id),
  parentDeviceId: nullable(Id),
  onlineVariableId: Type.String({
    format: 'uuid',
    description: 'The built-in BOOLEAN Variable that follows `isOnline`',
  }),
  lastSeenDateTime: nullable(DateTime),
  createdDateTime: DateTime,
  updatedDateTime: DateTime,
  configuration: Type.Optional(
    Type.Union([GatewayConfiguration, LorawanConfiguration], {
      description: 'For LoRaWAN types only',
    }),
  ),
};

export const Device = Type.Object(record, closed);

export type Device = Static<typeof Device>;

export const DeviceCredentials = Type.Object(
  {
    username: Type.String({ description: 'The Device id' }),
    password: Type.String({ description: 'Never shown again' }),
    topic: Type.String({ description: 'The Device publishes to this topic and below' }),
  },
  closed,
);

export const CreatedDevice = Type.Object({ ...record, credentials: DeviceCredentials }, closed);

const writable = {
  name: name(5, 100),
  description: Type.Optional(text(0, 500)),
  locationId: Type.Optional(nullable(Id)),
  parentDeviceId: Type.Optional(nullable(Id)),
};

const updatable = {
  ...writable,
  name: Type.Optional(writable.name),
  isActive: Type.Optional(Type.Boolean()),
};

const withoutConfiguration = {
  ...closed,
  'x-messages': { 'additionalProperties.configuration': 'is only for LoRaWAN types' },
} as const;

const CreateDevice = byType(
  Type.Object({ type: oneOf(PLAIN_TYPES), ...writable }, withoutConfiguration),
  Type.Object(
    { type: oneOf(LORAWAN_GATEWAY_TYPES), ...writable, configuration: GatewayConfiguration },
    closed,
  ),
  Type.Object(
    {
      type: oneOf(['LORAWAN_DEVICE']),
      ...writable,
      configuration: Type.Object(lorawanFields, closed),
    },
    closed,
  ),
);

const UpdateDevice = byType(
  Type.Object({ type: oneOf(PLAIN_TYPES), ...updatable }, withoutConfiguration),
  Type.Object(
    {
      type: oneOf(LORAWAN_GATEWAY_TYPES),
      ...updatable,
      configuration: Type.Optional(
        Type.Object(
          {
            gatewayEui: Type.Optional(hex(16)),
            rfRegion: Type.Optional(oneOf(RF_REGIONS)),
            subBand: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 8 }))),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  Type.Object(
    {
      type: oneOf(['LORAWAN_DEVICE']),
      ...updatable,
      configuration: Type.Optional(Type.Partial(Type.Object(lorawanFields), closed)),
    },
    closed,
  ),
);

const path = '/primary/v1/{organizationId}/devices';
const onePath = `${path}/{deviceId}` as const;
const integrate = { tag: 'Devices', stage: 'Integrate' } as const;
const holdsSecrets = true;
const ofDevice = { status: 200, body: Device, holdsSecrets } as const;
const tagged = { ...ofDevice, description: 'The Device', tagged: true } as const;

/** The types of a comma-separated filter. */
export function deviceTypesOf(filter: string): string[] {
  return filter.split(',');
}

export const listDevices = operation({
  ...integrate,
  id: 'listDevices',
  method: 'GET',
  path,
  summary: 'List Devices, newest first',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional(search),
      type: Type.Optional(
        Type.String({ description: 'One or more Device types, comma-separated' }),
      ),
      parentDeviceId: Type.Optional(Type.String({ description: 'Only children of this Device' })),
      archivedScope,
      ...paging,
    },
    closed,
  ),
  check: ({ query: { type } }) =>
    typeof type === 'string' &&
    deviceTypesOf(type).some((each) => !(DEVICE_TYPES as readonly string[]).includes(each))
      ? [{ path: 'type', message: `must be one or more of ${DEVICE_TYPES.join(', ')}` }]
      : [],
  reply: {
    status: 200,
    description: 'A page of Devices',
    body: listOf(Device),
    holdsSecrets,
  },
});

export const retrieveDevice = operation({
  ...integrate,
  id: 'retrieveDevice',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a Device, also an archived one',
  access: anyCredential,
  effect: 'read',
  reply: tagged,
});

export const createDevice = operation({
  ...integrate,
  id: 'createDevice',
  method: 'POST',
  path,
  summary: 'Create a Device; only this reply contains its password',
  access: permission('CreateDevice'),
  effect: 'write',
  body: CreateDevice,
  check: ({ body }) => {
    const { type, configuration } = Object(body) as { type?: unknown; configuration?: unknown };
    const isGateway = (LORAWAN_GATEWAY_TYPES as readonly unknown[]).includes(type);
    const error = isGateway && configuration ? subBandError(Object(configuration)) : undefined;
    return error ? [error] : [];
  },
  reply: {
    status: 201,
    description: 'The Device with its credentials',
    body: CreatedDevice,
    tagged: true,
    holdsSecrets,
  },
  failures: ['CONFLICT'],
});

export const updateDevice = operation({
  ...integrate,
  id: 'updateDevice',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a Device; `type` must be the stored one',
  access: permission('UpdateDevice'),
  effect: 'write',
  body: UpdateDevice,
  reply: tagged,
  failures: ['CONFLICT'],
});

export const deleteDevice = operation({
  ...integrate,
  id: 'deleteDevice',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a Device permanently, with its Variables and everything that depends on them',
  access: permission('DeleteDevice'),
  effect: 'write',
  reply: { status: 204, description: 'The Device is deleted', tagged: true },
});

export const archiveDevice = operation({
  tag: 'Devices',
  id: 'archiveDevice',
  method: 'POST',
  path: `${onePath}/archive`,
  summary: 'Archive a Device: it accepts no readings and is no longer listed',
  access: permission('DeleteDevice'),
  effect: 'write',
  reply: tagged,
});

export const restoreDevice = operation({
  tag: 'Devices',
  id: 'restoreDevice',
  method: 'POST',
  path: `${onePath}/restore`,
  summary: 'Restore an archived Device',
  access: permission('DeleteDevice'),
  effect: 'write',
  reply: tagged,
});

export const rotateDeviceCredentials = operation({
  tag: 'Devices',
  id: 'rotateDeviceCredentials',
  method: 'POST',
  path: `${onePath}/credentials`,
  summary: 'Issue a new password for a Device; the old one is invalid at once',
  access: permission('UpdateDevice'),
  effect: 'write',
  reply: {
    status: 200,
    description: 'The new credentials',
    body: DeviceCredentials,
    holdsSecrets,
  },
});

export const listDevicesByCursor = operation({
  ...integrate,
  id: 'listDevicesByCursor',
  method: 'GET',
  path: '/v1/organizations/{organizationId}/devices',
  summary: 'List Devices by a cursor that stays valid while Devices are created or deleted',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      limit: defaulted(Type.Integer({ minimum: 1, maximum: 100 }), 25),
      cursor: Type.Optional(
        Type.String({ maxLength: 500, description: '`nextCursor` of the previous page' }),
      ),
      search: Type.Optional(search),
    },
    closed,
  ),
  reply: {
    holdsSecrets,
    status: 200,
    description: 'A page of Devices',
    body: Type.Object({ data: Type.Array(Device), nextCursor: nullable(Type.String()) }, closed),
  },
});
