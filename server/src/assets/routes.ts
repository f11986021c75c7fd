import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Assets } from './assets.ts';

export function assetRoutes(serve: Serve, assets: Assets): void {
  serve(operations.listAssets, assets.list, { isCached: true });
  serve(operations.retrieveAsset, assets.retrieve);
  serve(operations.createAsset, assets.create);
  serve(operations.updateAsset, assets.update);
  serve(operations.deleteAsset, assets.delete);
  serve(operations.bindVariable, assets.bindVariable);
  serve(operations.bindVariables, assets.bindVariables);
}
