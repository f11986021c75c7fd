import type { NotificationReason, StepEnd } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import { planOf } from '../contacts/index.ts';
import { idOf } from '../policies/index.ts';
import type { Facts, PageFacts, StepFacts } from './facts.ts';

/** What the page of the event has to do with the person. */
export function pageReasons(facts: Facts): NotificationReason[] {
  const { group, page, progress } = facts;
  if (!page) {
    if (!group || progress.isQueued || progress.heldReason !== null) return [];
    const { name, policyName } = group;
    return policyName === null
      ? [{ code: 'NO_ESCALATION_POLICY', name }]
      : [{ code: 'NO_PAGE', name: policyName }];
  }
  const { id, policyName: name } = page;
  const ran = facts.steps.flatMap((step) => ranReason(facts, step));
  const pending = pendingReasons(facts, page);
  const concerned = [...ran, ...pending].filter(({ code }) => code !== 'NOBODY_ON_CALL');
  const isConcerned = concerned.some(({ code }) => code !== 'OTHER_ON_CALL');
  return [
    { code: 'PAGE', id, name },
    ...ran,
    ...pending,
    ...(concerned.length === 0 ? [{ code: 'NOT_IN_ESCALATION_POLICY' as const, name }] : []),
    ...(isConcerned ? ownReasons(facts, page, concerned) : []),
  ];
}

/** What a target that was run meant to the person. */
function ranReason(facts: Facts, ran: StepFacts): NotificationReason[] {
  const { person, rotas } = facts;
  const [kind, id = ''] = ran.target.split(' ');
  const at = { step: ran.step, loop: ran.loop, dateTime: isoDateTime(ran.at) };
  if (kind === 'USER') return id === person.userId ? [{ code: 'PAGED_AT_STEP', ...at }] : [];
  if (kind === 'REASSIGNED') return id === person.userId ? [{ code: 'REASSIGNED', ...at }] : [];
  if (kind !== 'ROTA') return [];
  const rota = rotas.get(id);
  const name = rota?.name ?? '';
  const onCall = rota?.onCallAt(ran.at) ?? null;
  if (onCall === person.userId || isSentBy(facts, ran)) {
    return [{ code: 'ON_CALL_AT_STEP', name, ...at }];
  }
  if (onCall === null && !ran.isReached) return [{ code: 'NOBODY_ON_CALL', name, ...at }];
  return rota?.userIds.includes(person.userId) ? [{ code: 'OTHER_ON_CALL', name, ...at }] : [];
}

/** Whether the person got the message of a rota: it may have changed since. */
function isSentBy({ person: { userId }, steps, deliveries }: Facts, ran: StepFacts): boolean {
  const isSame = ({ loop, step }: { loop: number | null; step: number | null }) =>
    loop === ran.loop && step === ran.step;
  const isNamed = steps.some((each) => isSame(each) && each.target === `USER ${userId}`);
  const isSent = deliveries.some((each) => isSame(each) && each.userId === userId);
  return ran.isReached && isSent && !isNamed;
}

/** Steps to come that would reach the person, or that did not come because the page ended before. */
function pendingReasons(facts: Facts, page: PageFacts): NotificationReason[] {
  const { person, rotas, now } = facts;
  const next = (page.step ?? -1) + 1;
  return page.policy.steps
    .slice(next)
    .flatMap(({ targets, unless }, offset): NotificationReason[] => {
      const step = next + offset;
      const isReached = targets.some((target) => {
        if (target.kind === 'USER') return idOf(target) === person.userId;
        const rota = target.kind === 'ROTA' ? rotas.get(idOf(target)) : undefined;
        return rota?.onCallAt(page.nextAt ?? now) === person.userId;
      });
      return isReached ? endReason(page, step, unless) : [];
    });
}

function endReason(page: PageFacts, step: number, unless: StepEnd): NotificationReason[] {
  const { state, nextStep, nextAt, acknowledgedAt, acknowledgedBy, endedAt } = page;
  const time = (at: number | null) => (at === null ? {} : { dateTime: isoDateTime(at) });
  // An acknowledgement does not stop steps that wait for the end of the events.
  if (state === 'ACTIVE' || (state === 'ACKNOWLEDGED' && unless === 'CLEARED')) {
    return [{ code: 'STEP_PENDING', step, ...(step === nextStep ? time(nextAt) : {}) }];
  }
  if (state === 'ACKNOWLEDGED') {
    const actor = acknowledgedBy === null ? {} : { actor: acknowledgedBy };
    return [{ code: 'ACKNOWLEDGED_BEFORE_STEP', step, ...actor, ...time(acknowledgedAt) }];
  }
  if (state === 'SUPPRESSED') return [{ code: 'SUPPRESSED_BEFORE_STEP', step }];
  return state === 'RESOLVED' ? [{ code: 'RESOLVED_BEFORE_STEP', step, ...time(endedAt) }] : [];
}

/** What the person's own rules do, by the function that the steps of a page use. */
function ownReasons(
  { wishes, now }: Facts,
  { severity }: PageFacts,
  concerned: readonly NotificationReason[],
): NotificationReason[] {
  const { dateTime } = concerned.find((each) => each.code !== 'OTHER_ON_CALL') ?? {};
  const at = dateTime === undefined ? now : Date.parse(dateTime);
  const [first] = planOf(wishes, severity, at);
  if (!first) return [{ code: 'OWN_RULES_NONE', severities: [severity] }];
  const [unheld = first] = planOf({ ...wishes, quietHours: null }, severity, at);
  const quietUntil = isoDateTime(first.dueAt);
  const unverified = wishes.methods.filter(({ isVerified }) => !isVerified);
  return [
    ...unverified.map(({ address }) => ({ code: 'METHOD_NOT_VERIFIED' as const, address })),
    ...(first.contactMethodId === null
      ? [{ code: 'NO_VERIFIED_METHOD' as const, address: first.address }]
      : []),
    ...(first.dueAt > unheld.dueAt
      ? [{ code: 'HELD_BY_QUIET_HOURS' as const, dateTime: quietUntil }]
      : []),
  ];
}
