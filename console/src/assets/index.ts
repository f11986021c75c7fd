export { AssetPage } from './asset-page.tsx';
export { AssetsPage } from './assets-page.tsx';
