export { type Assets, createAssets } from './assets.ts';
export { assetRoutes } from './routes.ts';
