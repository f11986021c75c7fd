export { type ApiKeys, createApiKeys } from './api-keys.ts';
export { insertApiKey } from './store.ts';
