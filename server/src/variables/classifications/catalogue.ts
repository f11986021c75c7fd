import type { Classification } from '@fieldwatch/contract';
import { fold } from '../../runtime/index.ts';
import { FEEDER, UTILITY } from './distribution.ts';
import { classificationsOf } from './entry.ts';
import { GENERATOR } from './generator.ts';
import { TRANSFER_SWITCH } from './transfer-switch.ts';

/** What Variables of electrical equipment are known as, in the order in which people look. */
export const CATALOGUE: readonly Classification[] = [
  ...classificationsOf('ELECTRICAL_GENERATOR', GENERATOR),
  ...classificationsOf('ELECTRICAL_UTILITY', UTILITY),
  ...classificationsOf('ELECTRICAL_FEEDER', FEEDER),
  ...classificationsOf('ELECTRICAL_ATS', TRANSFER_SWITCH),
];

export interface CatalogueFilter {
  readonly search: string;
  /** None at all filter nothing. */
  readonly assetTypes: readonly string[];
}

export function catalogueMatching({ search, assetTypes }: CatalogueFilter): Classification[] {
  const wanted = fold(search);
  return CATALOGUE.filter(
    ({ name, classificationType, assetClassificationType }) =>
      (assetTypes.length === 0 || assetTypes.includes(assetClassificationType)) &&
      [name, classificationType].some((text) => fold(text).includes(wanted)),
  );
}
