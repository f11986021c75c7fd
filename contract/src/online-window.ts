import Type from 'typebox';
import { anyCredential, operation, permission } from './operation.ts';
import { closed, Id, listOf, nullable, paging } from './schema.ts';

export const OnlineWindow = Type.Object(
  {
    onlineMinutes: nullable(
      Type.Integer({
        minimum: 1,
        maximum: 10_080,
        description:
          'How long the Device counts as online after a reading; null means the default of the server',
      }),
    ),
  },
  closed,
);

const ShownOnlineWindow = Type.Object(
  {
    ...OnlineWindow.properties,
    learnedOnlineMinutes: nullable(
      Type.Integer({
        minimum: 1,
        description: 'Of a LoRaWAN sensor or gateway: counts while `onlineMinutes` is null',
      }),
    ),
  },
  closed,
);

const OwnOnlineWindow = Type.Object(
  { deviceId: Id, onlineMinutes: Type.Integer({ minimum: 1, maximum: 10_080 }) },
  closed,
);

const path = '/primary/v1/{organizationId}/devices/{deviceId}/online-window';
const onlineWindow = {
  status: 200,
  description: 'The online window',
  body: ShownOnlineWindow,
} as const;

export const listOnlineWindows = operation({
  tag: 'Devices',
  id: 'listOnlineWindows',
  method: 'GET',
  path: '/primary/v1/{organizationId}/devices/online-windows',
  summary: 'List the Devices with an online window of their own, in order of their ids',
  access: anyCredential,
  effect: 'read',
  query: Type.Object({ ...paging }, closed),
  reply: { status: 200, description: 'A page of online windows', body: listOf(OwnOnlineWindow) },
});

export const retrieveOnlineWindow = operation({
  tag: 'Devices',
  id: 'retrieveOnlineWindow',
  method: 'GET',
  path,
  summary: 'Retrieve how long a Device counts as online after a reading',
  access: anyCredential,
  effect: 'read',
  reply: { ...onlineWindow, tagged: true },
});

export const updateOnlineWindow = operation({
  tag: 'Devices',
  id: 'updateOnlineWindow',
  method: 'PATCH',
  path,
  summary: 'Change how long a Device counts as online after a reading',
  access: permission('UpdateDevice'),
  effect: 'write',
  body: OnlineWindow,
  reply: { ...onlineWindow, tagged: true },
});
