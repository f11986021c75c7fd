import Type, { type Static } from 'typebox';
import { anyCredential, operation, permission, type Sent } from './operation.ts';
import type { FieldError } from './problem.ts';
import { closed, DateTime, Id, listOf, name, nullable, paging, search, text } from './schema.ts';
import { timeZoneErrors } from './wall-time.ts';

const latitude = nullable(Type.Number({ minimum: -90, maximum: 90, description: 'In degrees' }));
const longitude = nullable(
  Type.Number({ minimum: -180, maximum: 180, description: 'In degrees; only with a latitude' }),
);
const timeZone = nullable(
  Type.String({ description: 'IANA name', examples: ['Europe/Vienna', 'America/New_York'] }),
);

export const Location = Type.Object(
  {
    id: Id,
    name: name(1, 100),
    description: nullable(text(0, 500)),
    address: nullable(text(0, 500)),
    latitude,
    longitude,
    parentId: nullable(Id),
    timeZone,
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type Location = Static<typeof Location>;

/** A place has both coordinates or none. */
export function coordinatesError(place: {
  readonly latitude?: unknown;
  readonly longitude?: unknown;
}): FieldError | undefined {
  const latitudeGiven = (place.latitude ?? null) !== null;
  const longitudeGiven = (place.longitude ?? null) !== null;
  if (latitudeGiven === longitudeGiven) return undefined;
  return latitudeGiven
    ? { path: 'longitude', message: 'is required when latitude is given' }
    : { path: 'latitude', message: 'is required when longitude is given' };
}

function checkCreate({ body }: Sent): FieldError[] {
  const error = coordinatesError(Object(body));
  return [...(error ? [error] : []), ...timeZoneErrors(body)];
}

const optional = {
  description: Type.Optional(nullable(text(0, 500))),
  address: Type.Optional(nullable(text(0, 500))),
  latitude: Type.Optional(latitude),
  longitude: Type.Optional(longitude),
  parentId: Type.Optional(nullable(Id)),
  timeZone: Type.Optional(timeZone),
};

const path = '/primary/v1/{organizationId}/locations';
const onePath = `${path}/{locationId}` as const;
const tag = 'Locations';
const tagged = { status: 200, description: 'The Location', body: Location, tagged: true } as const;

export const listLocations = operation({
  tag,
  id: 'listLocations',
  method: 'GET',
  path,
  summary: 'List Locations, newest first',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional(search),
      parentId: Type.Optional(Type.String({ description: 'Only children of this Location' })),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of Locations', body: listOf(Location) },
});

export const retrieveLocation = operation({
  tag,
  id: 'retrieveLocation',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a Location',
  access: anyCredential,
  effect: 'read',
  reply: tagged,
});

export const createLocation = operation({
  tag,
  id: 'createLocation',
  method: 'POST',
  path,
  summary: 'Create a Location',
  access: permission('ManageLocations'),
  effect: 'write',
  body: Type.Object({ name: name(1, 100), ...optional }, closed),
  check: checkCreate,
  reply: { ...tagged, status: 201 },
});

export const updateLocation = operation({
  tag,
  id: 'updateLocation',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a Location; null clears a field',
  access: permission('ManageLocations'),
  effect: 'write',
  body: Type.Object({ name: Type.Optional(name(1, 100)), ...optional }, closed),
  check: ({ body }) => timeZoneErrors(body),
  reply: tagged,
});

export const deleteLocation = operation({
  tag,
  id: 'deleteLocation',
  method: 'DELETE',
  path: onePath,
  summary:
    'Delete a Location; its Devices and Assets stay without one, and its children move to the top level',
  access: permission('ManageLocations'),
  effect: 'write',
  reply: { status: 204, description: 'The Location is deleted', tagged: true },
});
