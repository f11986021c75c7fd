import type { Operations } from '@fieldwatch/contract';
import { changeOf, type PreparedHandler } from '../../http/index.ts';
import {
  type Clock,
  isoDateTime,
  type Keyring,
  type NewId,
  notFound,
  type Outbound,
} from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { postToWebhook } from '../delivery/index.ts';
import * as store from './store.ts';

export interface TestWebhookDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  /** Where the console is. */
  readonly publicUrl: string | null;
}

export type TestWebhook = PreparedHandler<Operations['testWebhook']>;

const TEST_TEXT = {
  subject: 'TEST: Fieldwatch can reach this webhook',
  lines: ['Somebody asked for this test. Nothing has happened.'],
  path: null,
};

/**
 * The receiver is called before the transaction, which records that it was. One that is switched off is
 * called too: it is tested before it is used. Nothing is retried, and the delivery log has nothing of it.
 */
export function createTestWebhook(deps: TestWebhookDeps): TestWebhook {
  const { storage, clock, newId } = deps;
  return {
    async prepare({ params: { organizationId, webhookId } }) {
      const door = await store.findDoor(storage, organizationId, webhookId);
      if (!door) throw notFound('webhook');
      const now = clock.now();
      const began = clock.elapsed();
      const message = { type: 'text' as const, timestamp: isoDateTime(now), data: TEST_TEXT };
      const sending = { deliveryId: newId(), message, now, signal: new AbortController().signal };
      const webhook = { ...door, isActive: true };
      const { status, error } = await postToWebhook(deps, webhook, sending);
      const durationMs = Math.round(clock.elapsed() - began);
      const change = { id: webhookId, before: {}, after: { test: error ?? 'accepted' } };
      const changes = [changeOf(organizationId, 'Webhook', change)];
      return async () => ({ body: { status, durationMs, error }, changes });
    },
  };
}
