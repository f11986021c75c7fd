import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import { catalogueMatching } from './catalogue.ts';

export const listClassifications: Handler<Operations['listClassifications']> = async ({
  query,
}) => {
  const { search = '', assetClassificationTypes: assetTypes = [], skip, take } = query;
  const found = catalogueMatching({ search, assetTypes });
  return { body: { count: found.length, items: found.slice(skip, skip + take) } };
};
