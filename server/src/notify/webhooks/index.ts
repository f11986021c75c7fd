export { decryptCredential } from './credential.ts';
export { openSecret, reencryptSecrets } from './secret.ts';
export { findWebhook } from './store.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';
