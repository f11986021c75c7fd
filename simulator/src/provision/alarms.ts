import type { AlarmSpec, Fleet, Value } from '../model/index.ts';
import { type Members, variableId } from './devices.ts';
import { everything, MARK, ownByName, type Target } from './own.ts';

const GROUP = 'Simulated fleet';

/** Makes the alarm group and the Alarms that are missing. An Alarm that somebody archived stays so. */
export async function provideAlarms(
  target: Target,
  fleet: Fleet,
  members: Members,
): Promise<number> {
  const { client, organizationId } = target;
  const alarmGroupId = await provideGroup(target);
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
    const body = { ...termsOf(spec), deviceId, deviceVariableId, alarmGroupId };
    await client.createAlarm({ organizationId, body });
    created += 1;
  }
  return created;
}

async function provideGroup({ client, organizationId }: Target): Promise<string> {
  const found = await ownByName('alarm group', new Set([GROUP]), (query) =>
    client.listAlarmGroups({ organizationId, query }),
  );
  const body = { name: GROUP, description: MARK };
  return (found.get(GROUP) ?? (await client.createAlarmGroup({ organizationId, body }))).id;
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
