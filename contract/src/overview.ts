import Type, { type Static } from 'typebox';
import { anyCredential, operation } from './operation.ts';
import { closed, DateTime, Id, nullable } from './schema.ts';

/** How many offline Devices the overview names. */
export const MAX_OFFLINE_DEVICES = 12;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Codes of what is wrong with the server itself. The list may grow. */
const OVERVIEW_WARNING_CODES = [
  'CLOCK_DIFFERS_FROM_DATABASE',
  'CLOCK_STEPPED',
  'JOURNAL_QUARANTINED',
  'NODE_LOST',
  'NODE_UNREACHABLE',
] as const;

export const OverviewWarning = Type.Object(
  { code: Type.Enum([...OVERVIEW_WARNING_CODES]), message: Type.String() },
  closed,
);
export type OverviewWarning = Static<typeof OverviewWarning>;

export const Overview = Type.Object(
  {
    deviceCount: count('Devices that are not archived'),
    onlineDeviceCount: count('Number of those that are online'),
    inactiveDeviceCount: count('Number of those that are not active and so cannot be online'),
    acceptedReadingCount: count(
      'Readings taken since the organization was made, as far as they are counted: a few seconds may be missing',
    ),
    offlineDevices: Type.Array(
      Type.Object({ id: Id, name: Type.String(), lastSeenDateTime: nullable(DateTime) }, closed),
      {
        maxItems: MAX_OFFLINE_DEVICES,
        description:
          'Active Devices that are offline: those that went offline last first, those that were never online last',
      },
    ),
    warnings: Type.Optional(
      Type.Array(OverviewWarning, {
        minItems: 1,
        description: 'Problems of the server itself; absent if there are none',
      }),
    ),
  },
  closed,
);

export const retrieveOverview = operation({
  id: 'retrieveOverview',
  method: 'GET',
  path: '/primary/v1/{organizationId}/overview',
  tag: 'Organization',
  summary: 'Retrieve the counts of Devices and readings, and the Devices that went offline last',
  access: anyCredential,
  effect: 'read',
  reply: { status: 200, description: 'The overview', body: Overview },
});
