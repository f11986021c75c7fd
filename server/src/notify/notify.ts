import {
  type Clock,
  createOutbound,
  type Keyring,
  type Log,
  type Metrics,
  type NewId,
  parseAllowed,
} from '../runtime/index.ts';
import type { Storage, Transaction } from '../storage/index.ts';
import { createDeliveries, type Deliveries } from './deliveries/index.ts';
import { createDeliveryWorker, type MailSettings } from './delivery/index.ts';
import type { PageHooks, Text } from './fan-out/index.ts';
import { type GroupAudience, sendTextToGroups } from './group-texts/index.ts';
import { type AlarmGroups, createAlarmGroups } from './groups/index.ts';
import { createPhoneChannels, type PhoneChannels } from './phone/index.ts';
import { createPushKeys, createPushSubscriptions, type PushSubscriptions } from './push/index.ts';
import { createReceipts, type Receipts } from './receipts/index.ts';
import { createUnsubscribe, type Unsubscribe } from './unsubscribe/index.ts';
import { createTestWebhook, type TestWebhook } from './webhook-tests/index.ts';
import { createWebhooks, type Webhooks } from './webhooks/index.ts';

export interface NotifyDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly metrics: Metrics;
  readonly pages: PageHooks;
  readonly settings: MailSettings & { readonly outboundAllow: string };
  /** Called between the steps, so that a test can end the process there. */
  readonly failpoint: (name: string) => void;
}

/** Alarm groups, webhooks, browsers, and the delivery of notifications to them. */
export interface Notify {
  readonly alarmGroups: AlarmGroups;
  readonly webhooks: Webhooks;
  readonly testWebhook: TestWebhook;
  readonly phoneChannels: PhoneChannels;
  readonly pushSubscriptions: PushSubscriptions;
  readonly deliveries: Deliveries;
  readonly unsubscribe: Unsubscribe;
  readonly receipts: Receipts;
  /** Sends a text to the addresses and webhooks of alarm groups and to those who follow them. */
  sendText(tx: Transaction, audience: GroupAudience, text: Text, now: number): Promise<void>;
  start(): void;
  /** There may be new notifications; without a call they are found within a second. */
  wake(): void;
  /** When notifications were last worked on without an error, by the monotonic clock. */
  lastTurnAt(): number;
  stop(): Promise<void>;
}

export function createNotify(deps: NotifyDeps): Notify {
  const { storage, metrics, settings } = deps;
  const outbound = createOutbound({ allowed: parseAllowed(settings.outboundAllow) });
  const observeLag = metrics.addDuration({
    name: 'fieldwatch_notification_lag_seconds',
    help: 'Time from the change of an alarm event to its delivery',
  });
  const pushKeys = createPushKeys(deps);
  const unsubscribe = createUnsubscribe({ ...deps, publicUrl: settings.publicUrl });
  const worker = createDeliveryWorker({
    ...deps,
    outbound,
    mail: settings,
    unsubscribeUrl: unsubscribe.url,
    pushKeys,
    observeLag,
  });
  metrics.addCounter({
    name: 'fieldwatch_notifications_total',
    help: 'Attempts to deliver messages about alarms, by what they came to',
    label: 'outcome',
    totals: worker.totals,
  });
  const { publicUrl } = settings;
  const receipts = createReceipts({ ...deps, publicUrl, onDue: worker.wake });
  metrics.addCounter({
    name: 'fieldwatch_phone_receipts_total',
    help: 'Reports about messages to telephones, by what they came to',
    label: 'outcome',
    totals: receipts.totals,
  });
  return {
    receipts,
    alarmGroups: createAlarmGroups(deps),
    webhooks: createWebhooks(deps),
    testWebhook: createTestWebhook({ ...deps, outbound, publicUrl }),
    phoneChannels: createPhoneChannels({ ...deps, outbound, publicUrl }),
    pushSubscriptions: createPushSubscriptions({ ...deps, keys: pushKeys }),
    unsubscribe,
    deliveries: createDeliveries({ storage, onDue: worker.wake }),
    sendText: (tx, audience, text, now) => sendTextToGroups(tx, deps, audience, text, now),
    start: worker.start,
    wake: worker.wake,
    lastTurnAt: worker.lastTurnAt,
    stop: worker.stop,
  };
}
