import type { AssetType } from '@fieldwatch/contract';

const types: Readonly<Record<AssetType, string>> = {
  GENERIC: 'Generic',
  ELECTRICAL_GENERATOR: 'Generator',
  ELECTRICAL_UTILITY: 'Utility feed',
  ELECTRICAL_FEEDER: 'Feeder',
  ELECTRICAL_ATS: 'Transfer switch',
};

export const assets = {
  title: 'Assets',
  one: 'Asset',
  types,
} as const;
