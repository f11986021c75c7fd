export { type ApiKeys, createApiKeys } from './api-keys.ts';
export { insertApiKey, isIdTaken } from './store.ts';
