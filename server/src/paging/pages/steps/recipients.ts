import type { EscalationTarget, Severity } from '@fieldwatch/contract';
import { listSubscriptions, type PageRecipient, toWebhook } from '../../../notify/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import { destinationOf, listContactPlans } from '../../contacts/index.ts';
import { findReach, idOf, type Reach } from '../../policies/index.ts';
import { listFollowers } from '../../subscriptions/index.ts';
import type { AcknowledgeUrl } from '../link/index.ts';

/** What one target of a step comes to at this moment. */
export interface Reached {
  readonly target: string;
  /** Who it is, for the timeline. */
  readonly name: string;
  readonly recipients: readonly PageRecipient[];
}

export interface Paging {
  readonly organizationId: string;
  readonly pageId: string;
  readonly severity: Severity;
  readonly now: number;
}

/** The recipients of the targets, as they are now. */
export async function recipientsOf(
  tx: Transaction,
  acknowledgeUrl: AcknowledgeUrl,
  targets: readonly EscalationTarget[],
  paging: Paging,
): Promise<Reached[]> {
  const { organizationId } = paging;
  const step = { afterSeconds: 0, unless: 'ACKNOWLEDGED' as const, targets: [...targets] };
  const reach = await findReach(tx, organizationId, [step], { hasMail: true, now: paging.now });
  const reached: Reached[] = [];
  for (const target of targets) {
    const reaching = { ...paging, reach, acknowledgeUrl };
    const { name, recipients } = await reachedBy(tx, target, reaching);
    reached.push({ target: `${target.kind} ${idOf(target)}`, name, recipients });
  }
  return reached;
}

interface Reaching extends Paging {
  readonly reach: Reach;
  readonly acknowledgeUrl: AcknowledgeUrl;
}

async function reachedBy(
  tx: Transaction,
  target: EscalationTarget,
  reaching: Reaching,
): Promise<Omit<Reached, 'target'>> {
  const { organizationId, severity, now, reach } = reaching;
  if (target.kind === 'USER') return await reachedUser(tx, idOf(target), reaching);
  if (target.kind === 'ROTA') return await reachedRota(tx, idOf(target), reaching);
  const common = { userId: null, dueAt: now, acknowledgeUrl: null };
  if (target.kind === 'WEBHOOK') {
    const webhook = reach.webhooks.get(idOf(target));
    if (!webhook) return { name: 'a deleted webhook', recipients: [] };
    const destination = toWebhook(organizationId, webhook.id);
    const recipients = webhook.isActive ? [{ ...common, destination }] : [];
    return { name: `webhook ${webhook.name}`, recipients };
  }
  const group = reach.groups.get(idOf(target));
  if (!group) return { name: 'a deleted alarm group', recipients: [] };
  const names = [{ organizationId, alarmGroupId: group.id }];
  const subscriptions = await listSubscriptions(tx, names);
  const wanted = subscriptions.filter(
    ({ severities }) => severities.length === 0 || severities.includes(severity),
  );
  const followers = await listFollowers(tx, names);
  const recipients = [
    ...wanted.map(({ destination }) => ({ ...common, destination })),
    ...(await contactsOf(tx, followers, reaching)),
  ];
  return { name: `alarm group ${group.name}`, recipients };
}

async function reachedRota(
  tx: Transaction,
  rotaId: string,
  reaching: Reaching,
): Promise<Omit<Reached, 'target'>> {
  const userId = reaching.reach.onCall.get(rotaId);
  if (userId === undefined) return { name: 'a deleted rota', recipients: [] };
  if (userId === null) return { name: 'nobody is on call', recipients: [] };
  const { name, recipients } = await reachedUser(tx, userId, reaching);
  return { name: `${name}, on call`, recipients };
}

/** A person is contacted by their own rules, and by mail where they have none. */
async function reachedUser(
  tx: Transaction,
  userId: string,
  reaching: Reaching,
): Promise<Omit<Reached, 'target'>> {
  const member = reaching.reach.members.get(userId);
  if (!member) return { name: 'a user who is no longer a member', recipients: [] };
  const { email } = member;
  if (!member.isActive) return { name: `${email}, not a member yet`, recipients: [] };
  return { name: email, recipients: await contactsOf(tx, [{ userId }], reaching) };
}

/** By the rules of each person, with a link that acknowledges in their name. */
async function contactsOf(
  tx: Transaction,
  people: readonly { readonly userId: string }[],
  { organizationId, pageId, severity, now, acknowledgeUrl }: Reaching,
): Promise<PageRecipient[]> {
  const wanted = people.map(({ userId }) => ({ organizationId, userId, severity }));
  const plans = await listContactPlans(tx, wanted, now);
  return plans.flatMap(({ userId, steps }) =>
    steps.map((step) => {
      const destination = destinationOf(organizationId, step);
      const link = { organizationId, pageId, userId, methodId: step.contactMethodId, now };
      return { destination, userId, dueAt: step.dueAt, acknowledgeUrl: acknowledgeUrl(link) };
    }),
  );
}
