import { randomUUID } from 'node:crypto';
import type { Fleet } from '../model/index.ts';
import { everything, ON_CALL, type Provisioned, type Target } from '../provision/index.ts';

const HOUR = 3_600_000;
const NAME = 'Demo on call';
const WINDOW_REASON = 'The starter battery is being replaced';
const SHIFT_TIME_ZONE = 'Europe/Berlin';

/** Colleagues of the administrator; nobody can sign in as one of them. */
const COLLEAGUES = [
  { name: 'Mara Lind', email: 'mara.lind@example.com' },
  { name: 'Idris Okafor', email: 'idris.okafor@example.com' },
] as const;

interface People {
  readonly administrator: string;
  readonly colleagues: readonly string[];
}

/** Creates the people, the rota and the escalation policy that answer alarms, unless they exist. */
export async function provideOnCall(
  target: Target,
  { email, now }: { readonly email: string; readonly now: number },
): Promise<void> {
  const { client, organizationId } = target;
  const query = { search: NAME };
  const { items } = await client.listEscalationPolicies({ organizationId, query });
  if (items.some(({ name }) => name === NAME)) return;
  const people = await providePeople(target, email);
  const rotaId = await createRota(target, people, now);
  const policyId = await createPolicy(target, people, rotaId);
  const groups = await client.listAlarmGroups({ organizationId, query: { search: ON_CALL } });
  for (const { id: alarmGroupId } of groups.items) {
    const body = { escalationPolicyId: policyId, reminderMinutes: 60 };
    await client.updateAlarmGroup({ organizationId, alarmGroupId, body });
  }
}

async function providePeople({ client, organizationId }: Target, email: string): Promise<People> {
  const known = await everything((query) => client.listUsers({ organizationId, query }));
  const idOf = (wanted: string) => known.find((user) => user.email === wanted)?.id;
  const colleagues: string[] = [];
  for (const colleague of COLLEAGUES) {
    const body = { ...colleague, role: 'EDITOR' as const, password: randomUUID() };
    const id = idOf(colleague.email) ?? (await client.createUser({ organizationId, body })).id;
    colleagues.push(id);
  }
  return { administrator: idOf(email) ?? '', colleagues };
}

/** The colleagues take turns by the week; today the administrator stands in for them. */
async function createRota(
  { client, organizationId }: Target,
  { administrator, colleagues }: People,
  now: number,
): Promise<string> {
  const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const override = {
    userId: administrator,
    fromDateTime: new Date(now - HOUR).toISOString(),
    toDateTime: new Date(now + 8 * HOUR).toISOString(),
  };
  const { id } = await client.createRota({
    organizationId,
    body: {
      name: NAME,
      timeZone: SHIFT_TIME_ZONE,
      sendsHandoffMail: false,
      layers: [
        {
          userIds: [...colleagues],
          rotation: 'WEEKLY',
          every: 1,
          handoffTime: '08:00',
          handoffWeekday: 'MONDAY',
          startDate: dateOf(now - 14 * 24 * HOUR),
        },
      ],
      overrides: [override],
    },
  });
  return id;
}

async function createPolicy(
  { client, organizationId }: Target,
  { administrator, colleagues }: People,
  rotaId: string,
): Promise<string> {
  const unless = 'ACKNOWLEDGED';
  const user = (userId: string) => ({ kind: 'USER' as const, userId });
  const { id } = await client.createEscalationPolicy({
    organizationId,
    body: {
      name: NAME,
      description: 'Whoever is on call, then both colleagues, then the administrator',
      repeat: 1,
      // The history of days is published within seconds, and its events would all join one page.
      groupSeconds: 0,
      steps: [
        { afterSeconds: 0, targets: [{ kind: 'ROTA', rotaId }], unless },
        { afterSeconds: 600, targets: colleagues.map(user), unless },
        { afterSeconds: 900, targets: [user(administrator)], unless },
      ],
    },
  });
  return id;
}

/** Announces work on the generator of the second site, whose battery is low, unless it is on. */
export async function provideMaintenance(
  { client, organizationId }: Target,
  { sites: [, site] }: Fleet,
  { byName }: Provisioned,
  now: number,
): Promise<void> {
  const generator = byName.get(`${site?.name}: Generator`);
  if (!generator) return;
  const deviceIds = [generator.id];
  const query = { deviceId: generator.id, state: 'ACTIVE' as const };
  const { count } = await client.listMaintenanceWindows({ organizationId, query });
  if (count > 0) return;
  const to = new Date(now + 6 * HOUR).toISOString();
  await client.createMaintenanceWindow({
    organizationId,
    body: { scope: { deviceIds }, reason: WINDOW_REASON, to },
  });
}
