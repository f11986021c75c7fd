import Type, { type Static } from 'typebox';
import { anyCredential, operation } from './operation.ts';
import { closed, filter, listOf, nullable, oneOf, paging, search, text } from './schema.ts';
import { classificationType, VARIABLE_TYPES } from './variables.ts';

/** The kinds of Assets whose Variables the catalogue names. */
export const CLASSIFIED_ASSET_TYPES = [
  'ELECTRICAL_GENERATOR',
  'ELECTRICAL_UTILITY',
  'ELECTRICAL_FEEDER',
  'ELECTRICAL_ATS',
] as const;

export const Classification = Type.Object(
  {
    classificationType,
    name: text(2, 100),
    unit: nullable(text(1, 9)),
    type: oneOf(VARIABLE_TYPES),
    assetClassificationType: oneOf(CLASSIFIED_ASSET_TYPES),
    description: text(1, 500),
  },
  closed,
);

export type Classification = Static<typeof Classification>;

export const listClassifications = operation({
  tag: 'Variables',
  id: 'listClassifications',
  method: 'GET',
  path: '/primary/v1/{organizationId}/classifications',
  summary: 'List the classifications of Variables of electrical equipment',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional({
        ...search,
        description:
          'Case-insensitive, literal, in name and classification type; an empty value does not filter',
      }),
      assetClassificationTypes: Type.Optional(
        filter(oneOf(['GENERIC', ...CLASSIFIED_ASSET_TYPES])),
      ),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of the catalogue', body: listOf(Classification) },
});
