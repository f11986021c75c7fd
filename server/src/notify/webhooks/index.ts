export { decryptCredential } from './credential.ts';
export { openSecret, reencryptSecrets } from './secret.ts';
export { findWebhook } from './store.ts';
export { urlErrors } from './url.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';
