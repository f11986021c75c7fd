export { askPage, donePage } from './page.ts';
export { grantOf } from './token.ts';
export { type AcknowledgeUrl, acknowledgeUrls } from './urls.ts';
