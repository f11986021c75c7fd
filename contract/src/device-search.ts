import Type from 'typebox';
import { DEVICE_TYPES } from './device-configuration.ts';
import { Device } from './devices.ts';
import { anyCredential, operation } from './operation.ts';
import {
  archivedScope,
  closed,
  defaulted,
  epochMs,
  filter,
  listOf,
  oneOf,
  paging,
  search,
  sortDirection,
} from './schema.ts';

/** A Device has exactly one of these states. */
export const DEVICE_STATES = ['ONLINE', 'OFFLINE', 'NEVER_SEEN', 'INACTIVE'] as const;

export type DeviceState = (typeof DEVICE_STATES)[number];

export const DEVICE_SORTS = ['NAME', 'LAST_SEEN', 'CREATED'] as const;

export type DeviceSort = (typeof DEVICE_SORTS)[number];

export const searchDevices = operation({
  tag: 'Devices',
  id: 'searchDevices',
  method: 'POST',
  path: '/primary/v1/{organizationId}/devices/search',
  summary: 'Search Devices by name, state, Location and time last seen, in a given order',
  access: anyCredential,
  effect: 'read',
  body: Type.Object(
    {
      search: Type.Optional(search),
      types: Type.Optional(filter(oneOf(DEVICE_TYPES))),
      states: Type.Optional({
        ...filter(oneOf(DEVICE_STATES)),
        description:
          'INACTIVE Devices reject readings. The others are ONLINE, OFFLINE, or NEVER_SEEN without any reading so far',
      }),
      locationIds: Type.Optional({
        ...filter(Type.String()),
        description: 'Devices at these Locations and at Locations below them',
      }),
      parentDeviceId: Type.Optional(Type.String({ description: 'Only children of this Device' })),
      lastSeenBefore: Type.Optional(epochMs),
      lastSeenAfter: Type.Optional(epochMs),
      archivedScope,
      sortBy: {
        ...defaulted(oneOf(DEVICE_SORTS), 'NAME'),
        description: 'By LAST_SEEN, Devices that were never seen are last in both directions',
      },
      sortDirection,
      ...paging,
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of Devices',
    body: listOf(Device),
    holdsSecrets: true,
  },
});
