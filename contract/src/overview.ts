import Type from 'typebox';
import { anyCredential, operation } from './operation.ts';
import { closed } from './schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Overview = Type.Object(
  {
    deviceCount: count('Devices that are not archived'),
    onlineDeviceCount: count('Those of them that are online'),
    inactiveDeviceCount: count('Those of them that are not active, and so cannot be online'),
    acceptedReadingCount: count(
      'Readings taken since the organization was made, as far as they are counted: a few seconds may be missing',
    ),
  },
  closed,
);

export const retrieveOverview = operation({
  id: 'retrieveOverview',
  method: 'GET',
  path: '/primary/v1/{organizationId}/overview',
  tag: 'Organization',
  summary: 'How many Devices there are and are online, and how many readings came in',
  access: anyCredential,
  effect: 'read',
  reply: { status: 200, description: 'The counts', body: Overview },
});
