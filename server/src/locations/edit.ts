import {
  type Body,
  coordinatesError,
  type FieldError,
  type Operations,
} from '@fieldwatch/contract';
import type { LocationFields } from './store.ts';

const EMPTY: Omit<LocationFields, 'name'> = {
  description: null,
  address: null,
  latitude: null,
  longitude: null,
  parentId: null,
  timeZone: null,
};

export function newLocationFields(body: Body<Operations['createLocation']>): LocationFields {
  return { ...EMPTY, ...body };
}

/** The stored fields with the given ones over them; what is left out stays, null clears. */
export function editedLocationFields(
  stored: LocationFields,
  body: Body<Operations['updateLocation']>,
): { readonly fields: LocationFields } | { readonly error: FieldError } {
  const { name, description, address, latitude, longitude, parentId, timeZone } = stored;
  const kept = { name, description, address, latitude, longitude, parentId, timeZone };
  const fields = { ...kept, ...body };
  const error = coordinatesError(fields);
  return error ? { error } : { fields };
}
