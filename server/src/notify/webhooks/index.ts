export { createWebhooks, type Webhooks } from './webhooks.ts';
