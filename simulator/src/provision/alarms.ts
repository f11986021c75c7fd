import type { AlarmSpec, Fleet, Value } from '../model/index.ts';
import { type Members, variableId } from './devices.ts';
import { everything, MARK, ownByName, type Target } from './own.ts';

/** The on-call group is notified at any hour of the worst, the facility team of the rest. */
export const ON_CALL = 'Simulated fleet, on call';
const FACILITY = 'Simulated fleet, facility team';

/** Creates the alarm groups and Alarms that are missing. An archived Alarm stays archived. */
export async function provideAlarms(
  target: Target,
  fleet: Fleet,
  members: Members,
): Promise<number> {
  const { client, organizationId } = target;
  const groups = await provideGroups(target);
  const known = await everything(
    (query) =>
      client.searchAlarms({
        organizationId,
        body: { ...query, archivedScope: 'all' },
      }),
    '',
  );
  const keyOf = (name: string, variable: string) => `${variable} ${name}`;
  const present = new Set(known.map(({ name, deviceVariableId }) => keyOf(name, deviceVariableId)));
  let created = 0;
  for (const spec of fleet.alarms) {
    const deviceVariableId = variableId(members, spec.variable);
    if (present.has(keyOf(spec.name, deviceVariableId))) continue;
    const deviceId = members.byName.get(spec.variable.device)?.id ?? '';
    const alarmGroupId = groups.get(groupOf(spec)) ?? null;
    const body = { ...termsOf(spec), deviceId, deviceVariableId, alarmGroupId };
    await client.createAlarm({ organizationId, body });
    created += 1;
  }
  return created;
}

function groupOf({ severity }: AlarmSpec): string {
  return severity === 'CRITICAL' || severity === 'HIGH' ? ON_CALL : FACILITY;
}

async function provideGroups({ client, organizationId }: Target): Promise<Map<string, string>> {
  const names = new Set([ON_CALL, FACILITY]);
  const found = await ownByName('alarm group', names, (query) =>
    client.listAlarmGroups({ organizationId, query }),
  );
  const ids = new Map<string, string>();
  for (const name of names) {
    const body = { name, description: MARK };
    const group = found.get(name) ?? (await client.createAlarmGroup({ organizationId, body }));
    ids.set(name, group.id);
  }
  return ids;
}

function termsOf(spec: AlarmSpec) {
  return {
    name: spec.name,
    isActive: true,
    operator: spec.operator,
    severity: spec.severity,
    isAcknowledgeable: spec.isAcknowledgeable,
    delayProcessingSeconds: spec.delaySeconds,
    ...thresholdOf(spec.threshold),
  };
}

function thresholdOf(value: Value) {
  if (typeof value === 'number') return { thresholdValueNumber: value };
  if (typeof value === 'boolean') return { thresholdValueBoolean: value };
  return { thresholdValueString: value };
}
