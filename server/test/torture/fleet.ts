import { type Harness, insist } from './harness.ts';
import type { Value } from './ledger.ts';
import type { Terms } from './oracle.ts';
import type { Credentials } from './senders.ts';

export type VariableType = 'NUMBER' | 'BOOLEAN' | 'STRING';

let made = 0;

export async function makeDevice(harness: Harness, purpose: string): Promise<Credentials> {
  made += 1;
  const body = { type: 'CUSTOM_DEVICE' as const, name: `Torture ${made}: ${purpose}` };
  const device = await insist(harness, (api, organizationId) =>
    api.createDevice({ organizationId, body }),
  );
  return device.credentials;
}

export async function makeVariable(
  harness: Harness,
  deviceId: string,
  topicPropertyPath: string,
  type: VariableType = 'NUMBER',
): Promise<string> {
  const body = { topicPropertyPath, type, name: topicPropertyPath, isLoggingEnabled: true };
  const variable = await insist(harness, (api, organizationId) =>
    api.createVariable({ organizationId, deviceId, body }),
  );
  return variable.id;
}

function thresholdOf(threshold: Value) {
  if (typeof threshold === 'number') return { thresholdValueNumber: threshold };
  return typeof threshold === 'string'
    ? { thresholdValueString: threshold }
    : { thresholdValueBoolean: threshold };
}

export async function makeAlarm(
  harness: Harness,
  watched: { readonly deviceId: string; readonly deviceVariableId: string; readonly name: string },
  terms: Terms,
  alarmGroupId: string | null,
): Promise<string> {
  const body = {
    ...{ ...watched, isActive: true, alarmGroupId, operator: terms.operator as 'EQUAL' },
    ...thresholdOf(terms.threshold),
    delayProcessingSeconds: terms.holdMs / 1_000,
    clearDelaySeconds: terms.clearDelayMs / 1_000,
    ...(terms.deadband > 0 ? { deadband: terms.deadband } : {}),
  };
  const alarm = await insist(harness, (api, organizationId) =>
    api.createAlarm({ organizationId, body }),
  );
  return alarm.id;
}

/** A group that notifies one webhook, and one address where given. */
export async function makeGroup(
  harness: Harness,
  hookUrl: string,
  email: string | null,
): Promise<string> {
  const webhook = await insist(harness, (api, organizationId) =>
    api.createWebhook({ organizationId, body: { name: 'Receiver', url: hookUrl } }),
  );
  const subscriptions = [
    { kind: 'WEBHOOK' as const, webhookId: webhook.id },
    ...(email === null ? [] : [{ kind: 'EMAIL' as const, email }]),
  ];
  const group = await insist(harness, (api, organizationId) =>
    api.createAlarmGroup({ organizationId, body: { name: 'Group', subscriptions } }),
  );
  return group.id;
}
