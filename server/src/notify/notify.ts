import type { Keyring, NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { type AlarmGroups, createAlarmGroups } from './alarm-groups/index.ts';
import { createWebhooks, type Webhooks } from './webhooks/index.ts';

export interface NotifyDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
}

/** Who is told of alarms, and where. */
export interface Notify {
  readonly alarmGroups: AlarmGroups;
  readonly webhooks: Webhooks;
}

export function createNotify(deps: NotifyDeps): Notify {
  return { alarmGroups: createAlarmGroups(deps), webhooks: createWebhooks(deps) };
}
