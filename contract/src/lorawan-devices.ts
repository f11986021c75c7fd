import Type, { type Static } from 'typebox';
import { deviceProfileId, provisioned } from './lorawan-provisioning.ts';
import { anyCredential, operation, permission } from './operation.ts';
import { closed, DateTime, Id, nullable } from './schema.ts';

const nullableNumber = nullable(Type.Number());

const lastUplink = Type.Object(
  {
    dateTime: DateTime,
    fPort: Type.Integer(),
    fCnt: Type.Integer(),
    spreadingFactor: nullableNumber,
    frequencyMhz: nullableNumber,
    rssi: nullableNumber,
    snr: nullableNumber,
    gatewayIds: Type.Array(Type.String()),
  },
  closed,
);

const logEntry = Type.Object(
  { dateTime: DateTime, level: Type.String(), code: Type.String(), text: Type.String() },
  closed,
);

export const LorawanDevice = Type.Object(
  {
    networkId: nullable(Id),
    codecId: nullable(Id),
    deviceProfileId,
    provisioning: provisioned,
    devAddr: nullable(Type.String()),
    lastJoinDateTime: nullable(DateTime),
    lastUplink: nullable(lastUplink),
    lostUplinks24h: Type.Integer({ minimum: 0 }),
    retransmittedUplinks24h: Type.Integer({ minimum: 0 }),
    uplinkIntervalSeconds: nullable(Type.Integer({ minimum: 0 })),
    battery: nullable(Type.Number({ description: 'Percent' })),
    log: Type.Array(logEntry, { description: 'The last 50 events, newest first' }),
  },
  closed,
);

export type LorawanDevice = Static<typeof LorawanDevice>;

const path = '/primary/v1/{organizationId}/devices/{deviceId}/lorawan';
const reply = {
  status: 200,
  description: 'The radio of the sensor or gateway',
  body: LorawanDevice,
} as const;

export const retrieveLorawanDevice = operation({
  id: 'retrieveLorawanDevice',
  method: 'GET',
  path,
  tag: 'LoRaWAN',
  summary: 'Retrieve the network, the codec and the radio of a sensor, or the network of a gateway',
  access: anyCredential,
  effect: 'read',
  reply,
  failures: ['CONFLICT'],
});

export const updateLorawanDevice = operation({
  id: 'updateLorawanDevice',
  method: 'PATCH',
  path,
  tag: 'LoRaWAN',
  summary: 'Set the network and the codec of a sensor, or the network of a gateway',
  access: permission('UpdateDevice'),
  effect: 'write',
  body: Type.Object(
    {
      networkId: Type.Optional(nullable(Id)),
      codecId: Type.Optional(nullable(Id)),
      deviceProfileId: Type.Optional(deviceProfileId),
    },
    closed,
  ),
  reply,
  failures: ['CONFLICT'],
});
