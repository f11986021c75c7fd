import type { EscalationStep, EscalationTarget, EscalationWarning } from '@fieldwatch/contract';
import type { Queries } from '../../storage/index.ts';
import { listOnCall } from '../rotas/index.ts';
import type { GroupRow, MemberRow, WebhookRow } from './store.ts';
import * as store from './store.ts';

/** What the targets of policies name, as far as it exists. */
export interface Reach {
  readonly members: ReadonlyMap<string, MemberRow>;
  /** Who is on call now, by the id of the rota; null for nobody. */
  readonly onCall: ReadonlyMap<string, string | null>;
  readonly groups: ReadonlyMap<string, GroupRow>;
  readonly webhooks: ReadonlyMap<string, WebhookRow>;
  /** Without a mail server, nothing is sent to addresses. */
  readonly hasMail: boolean;
}

const idsOf = <K extends EscalationTarget['kind']>(
  steps: readonly EscalationStep[],
  kind: K,
): string[] => [
  ...new Set(
    steps.flatMap(({ targets }) =>
      targets.flatMap((target) => (target.kind === kind ? [idOf(target)] : [])),
    ),
  ),
];

export function idOf(target: EscalationTarget): string {
  if (target.kind === 'USER') return target.userId.toLowerCase();
  if (target.kind === 'ROTA') return target.rotaId.toLowerCase();
  if (target.kind === 'WEBHOOK') return target.webhookId.toLowerCase();
  return target.alarmGroupId.toLowerCase();
}

export async function findReach(
  db: Queries,
  organizationId: string,
  steps: readonly EscalationStep[],
  { hasMail, now }: { readonly hasMail: boolean; readonly now: number },
): Promise<Reach> {
  const rotas = idsOf(steps, 'ROTA').map((rotaId) => ({ organizationId, rotaId }));
  const onCall = rotas.length === 0 ? new Map() : await listOnCall(db, rotas, now);
  const people = [...onCall.values()].filter((id) => id !== null);
  const userIds = [...idsOf(steps, 'USER'), ...people];
  const members = await store.listMembers(db, organizationId, userIds);
  const groups = await store.listGroups(db, organizationId, idsOf(steps, 'ALARM_GROUP'));
  const webhooks = await store.listWebhooks(db, organizationId, idsOf(steps, 'WEBHOOK'));
  return {
    members: new Map(members.map((each) => [each.userId, each])),
    groups: new Map(groups.map((each) => [each.id, each])),
    webhooks: new Map(webhooks.map((each) => [each.id, each])),
    onCall,
    hasMail,
  };
}

/** Every target that a page would not reach now, and what to do about it. */
export function warningsOf(steps: readonly EscalationStep[], reach: Reach): EscalationWarning[] {
  return steps.flatMap(({ targets }, step) =>
    targets.flatMap((target, index) => {
      const message = warningOf(target, reach);
      return message === null ? [] : [{ path: `steps[${step}].targets[${index}]`, message }];
    }),
  );
}

function warningOf(target: EscalationTarget, reach: Reach): string | null {
  if (target.kind === 'USER') return userWarning(reach.members.get(idOf(target)), reach);
  if (target.kind === 'ROTA') {
    const userId = reach.onCall.get(idOf(target));
    if (userId === undefined) return 'The rota was deleted: replace or remove this target.';
    if (userId === null) return 'Nobody is on call now: fill the gap, or add a step after it.';
    return userWarning(reach.members.get(userId), reach);
  }
  if (target.kind === 'WEBHOOK') {
    const webhook = reach.webhooks.get(idOf(target));
    if (!webhook) return 'The webhook was deleted: replace or remove this target.';
    return webhook.isActive ? null : `The webhook ${webhook.name} is switched off: activate it.`;
  }
  const group = reach.groups.get(idOf(target));
  if (!group) return 'The alarm group was deleted: replace or remove this target.';
  return group.reachable > 0
    ? null
    : `The alarm group ${group.name} has no subscription that is active: add an address or webhook.`;
}

function userWarning(member: MemberRow | undefined, { hasMail }: Reach): string | null {
  if (!member) return 'The user is no longer a member: replace or remove this target.';
  const { email, isActive, hasOtherMethod } = member;
  if (!isActive) {
    return `${email} has not accepted the invitation: nobody is paged there until they do.`;
  }
  return hasMail || hasOtherMethod
    ? null
    : `${email} is paged by mail, and no mail server is configured: set FIELDWATCH_SMTP_URL.`;
}
