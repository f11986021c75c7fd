import {
  type Body,
  classificationDetailsErrors,
  type FieldError,
  type Operations,
  runningHoursVariableIds,
} from '@fieldwatch/contract';
import type { Reference } from '../storage/index.ts';
import type { AssetFields } from './store.ts';

export function newAssetFields(body: Body<Operations['createAsset']>): AssetFields {
  return {
    description: null,
    classificationType: 'GENERIC',
    classificationDetails: null,
    locationId: null,
    dashboardId: null,
    parentId: null,
    ...body,
  };
}

/** The stored fields with the given ones over them; what is left out stays, null clears. */
export function editedAssetFields(
  stored: AssetFields,
  body: Body<Operations['updateAsset']>,
): { readonly fields: AssetFields } | { readonly errors: readonly FieldError[] } {
  const { name, description, classificationType, classificationDetails } = stored;
  const { locationId, dashboardId, parentId } = stored;
  const about = { name, description, classificationType, classificationDetails };
  const fields = { ...about, locationId, dashboardId, parentId, ...body };
  const errors = hasNewDetails(stored, fields)
    ? classificationDetailsErrors(fields.classificationType, fields.classificationDetails)
    : [];
  return errors.length > 0 ? { errors } : { fields };
}

/** Everything that the fields name, to be looked for. */
export function referencesOf(fields: AssetFields, stored?: AssetFields): Reference[] {
  const { locationId, dashboardId, parentId, classificationType, classificationDetails } = fields;
  const running =
    stored === undefined || hasNewDetails(stored, fields)
      ? runningHoursVariableIds(classificationType, classificationDetails)
      : [];
  return [
    { path: 'locationId', table: 'locations', id: locationId },
    { path: 'dashboardId', table: 'dashboards', id: dashboardId },
    { path: 'parentId', table: 'assets', id: parentId },
    ...running.map((id, index) => ({
      path: `classificationDetails.runningHoursVariableIds[${index}]`,
      table: 'variables' as const,
      id,
    })),
  ];
}

/**
 * Settings are judged when they are given or come to mean something else, and not again: a Variable
 * that they name may have been deleted since, which must not stand in the way of other edits.
 */
function hasNewDetails(before: AssetFields, after: AssetFields): boolean {
  return (
    before.classificationType !== after.classificationType ||
    before.classificationDetails !== after.classificationDetails
  );
}
