import Type from 'typebox';
import { anyCredential, operation } from './operation.ts';
import { closed, DateTime, Id, nullable } from './schema.ts';

/** How many offline Devices the overview names. */
export const MOST_OFFLINE = 12;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Overview = Type.Object(
  {
    deviceCount: count('Devices that are not archived'),
    onlineDeviceCount: count('Those of them that are online'),
    inactiveDeviceCount: count('Those of them that are not active, and so cannot be online'),
    acceptedReadingCount: count(
      'Readings taken since the organization was made, as far as they are counted: a few seconds may be missing',
    ),
    offlineDevices: Type.Array(
      Type.Object({ id: Id, name: Type.String(), lastSeenDateTime: nullable(DateTime) }, closed),
      {
        maxItems: MOST_OFFLINE,
        description:
          'Active Devices that are offline: those that fell silent last come first, those never heard of last',
      },
    ),
  },
  closed,
);

export const retrieveOverview = operation({
  id: 'retrieveOverview',
  method: 'GET',
  path: '/primary/v1/{organizationId}/overview',
  tag: 'Organization',
  summary:
    'How many Devices there are and are online, which are not, and how many readings came in',
  access: anyCredential,
  effect: 'read',
  reply: { status: 200, description: 'The counts and names', body: Overview },
});
