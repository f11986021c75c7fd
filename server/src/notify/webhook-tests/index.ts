export { createTestWebhook, type TestWebhook } from './webhook-tests.ts';
