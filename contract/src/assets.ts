import Type, { type Static } from 'typebox';
import { CLASSIFICATION_DETAILS, classificationDetailsErrors } from './asset-details.ts';
import { CLASSIFIED_ASSET_TYPES } from './classifications.ts';
import { operation, permission, type Sent } from './operation.ts';
import type { FieldError } from './problem.ts';
import {
  closed,
  DateTime,
  filter,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  search,
  text,
} from './schema.ts';
import { Variable } from './variables.ts';

export const ASSET_TYPES = ['GENERIC', ...CLASSIFIED_ASSET_TYPES] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

export const BINDING_ACTIONS = ['CONNECT', 'DISCONNECT'] as const;

const MAX_BATCH = 500;

const classificationDetails = nullable(
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    properties: CLASSIFICATION_DETAILS,
    additionalProperties: true,
    description:
      'Settings of the classification, at most 16 KiB as JSON. For `ELECTRICAL_GENERATOR` these are checked where present: `make`, `model`, `serialNumber`, `fuelType` (1 to 100 characters), `ratedKw`, `ratedKva`, `ratedVolts`, `ratedAmps`, `ratedHz` (0 or more), `runningHoursVariableIds` (at most 50 Variables). Other keys are kept.',
    examples: [{ make: 'Acme', ratedKw: 500, runningHoursVariableIds: [] }],
  }),
);

export const Asset = Type.Object(
  {
    id: Id,
    name: name(2, 100),
    description: nullable(text(0, 500)),
    classificationType: oneOf(ASSET_TYPES),
    classificationDetails,
    locationId: nullable(Id),
    dashboardId: nullable(Id),
    parentId: nullable(Id),
    variables: Type.Array(Variable, { description: 'Bound Variables, by name' }),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type Asset = Static<typeof Asset>;

const optional = {
  description: Type.Optional(nullable(text(0, 500))),
  classificationType: Type.Optional(oneOf(ASSET_TYPES)),
  classificationDetails: Type.Optional(classificationDetails),
  locationId: Type.Optional(nullable(Id)),
  dashboardId: Type.Optional(nullable(Id)),
  parentId: Type.Optional(nullable(Id)),
};

/** Judges the settings as far as the body alone shows what they are for. */
function checkDetails({ body }: Sent): FieldError[] {
  const sent = Object(body) as Readonly<Record<string, unknown>>;
  return classificationDetailsErrors(sent.classificationType, sent.classificationDetails);
}

const path = '/primary/v1/{organizationId}/assets';
const onePath = `${path}/{assetId}` as const;
const shared = { tag: 'Assets', stage: 'Integrate' } as const;
const tagged = {
  status: 200,
  description: 'The Asset with its Variables',
  body: Asset,
  tagged: true,
} as const;

export const listAssets = operation({
  ...shared,
  id: 'listAssets',
  method: 'GET',
  path,
  summary: 'List Assets with their Variables, newest first',
  access: permission('ReadAssets'),
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional(search),
      types: Type.Optional(filter(oneOf(ASSET_TYPES))),
      locationIds: Type.Optional(filter(Type.String())),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of Assets', body: listOf(Asset) },
});

export const retrieveAsset = operation({
  ...shared,
  id: 'retrieveAsset',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve an Asset with its Variables',
  access: permission('ReadAssets'),
  effect: 'read',
  reply: tagged,
});

export const createAsset = operation({
  ...shared,
  id: 'createAsset',
  method: 'POST',
  path,
  summary: 'Create an Asset',
  access: permission('CreateAsset'),
  effect: 'write',
  body: Type.Object({ name: name(2, 100), ...optional }, closed),
  check: checkDetails,
  reply: { ...tagged, status: 201 },
});

export const updateAsset = operation({
  ...shared,
  id: 'updateAsset',
  method: 'PATCH',
  path: onePath,
  summary: 'Change an Asset; null clears a field',
  access: permission('UpdateAsset'),
  effect: 'write',
  body: Type.Object({ name: Type.Optional(name(2, 100)), ...optional }, closed),
  check: checkDetails,
  reply: tagged,
});

export const deleteAsset = operation({
  ...shared,
  id: 'deleteAsset',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete an Asset; its Variables stay, and its children move to the top level',
  access: permission('DeleteAsset'),
  effect: 'write',
  reply: { status: 204, description: 'The Asset is deleted', tagged: true },
});

export const bindVariable = operation({
  ...shared,
  id: 'bindVariable',
  method: 'POST',
  path: `${onePath}/bindings`,
  summary: 'Bind a Variable to an Asset, or unbind it',
  access: permission('UpdateAsset'),
  effect: 'write',
  body: Type.Object({ variableId: Id, action: oneOf(BINDING_ACTIONS) }, closed),
  reply: tagged,
});

export const bindVariables = operation({
  ...shared,
  id: 'bindVariables',
  method: 'POST',
  path: `${onePath}/bindings/batch`,
  summary: 'Bind many Variables to an Asset, or unbind them: all or none',
  access: permission('UpdateAsset'),
  effect: 'write',
  body: Type.Object(
    {
      variableIds: Type.Array(Id, {
        minItems: 1,
        description: `1 to ${MAX_BATCH} different ids; duplicates count once`,
      }),
      action: oneOf(BINDING_ACTIONS),
    },
    closed,
  ),
  check: ({ body }) => batchErrors(Object(body).variableIds),
  reply: tagged,
});

function batchErrors(ids: unknown): FieldError[] {
  if (!Array.isArray(ids)) return [];
  const different = new Set(ids.map((id) => String(id).toLowerCase()));
  return different.size > MAX_BATCH
    ? [{ path: 'variableIds', message: `must have at most ${MAX_BATCH} different values` }]
    : [];
}
