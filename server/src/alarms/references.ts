import { requireReferences, type Transaction } from '../storage/index.ts';
import type { AlarmTerms } from './alarm.ts';

/** Looks at what the request names; what is stored already cannot be missing. */
export function requireNamed(
  tx: Transaction,
  organizationId: string,
  named: Partial<Pick<AlarmTerms, 'deviceId' | 'deviceVariableId' | 'alarmGroupId'>>,
): Promise<void> {
  return requireReferences(tx, organizationId, [
    { path: 'deviceId', table: 'devices', id: named.deviceId },
    { path: 'deviceVariableId', table: 'variables', id: named.deviceVariableId },
    { path: 'alarmGroupId', table: 'alarm_groups', id: named.alarmGroupId },
  ]);
}
