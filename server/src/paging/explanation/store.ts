import { fold, isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, saved, sql } from '../../storage/index.ts';
import type { ContactWishes } from '../contacts/index.ts';
import type {
  BrowserFacts,
  DeliveryFacts,
  GroupFacts,
  PageFacts,
  PersonFacts,
  ProgressFacts,
  StepFacts,
} from './facts.ts';

const MAX_BROWSERS = 20;
const MAX_STEPS = 100;
const MAX_DELIVERIES = 50;
/** A Device may be ahead of the server by its clock. */
const CLOCK_MARGIN_MS = 24 * 3_600_000;

export async function findPerson(
  db: Queries,
  organizationId: string,
  userId: string,
): Promise<PersonFacts | null> {
  const [row] = await run<PersonFacts>(
    db,
    sql`select user_id as "userId", email, status = 'ACTIVE' as "isActive"
        from memberships join users on users.id = user_id
        where organization_id = ${organizationId} and user_id = ${userId}`,
  );
  return row ?? null;
}

export function findProgress(
  db: Queries,
  organizationId: string,
  eventId: string,
): Promise<ProgressFacts> {
  return saved(
    run<ProgressFacts>(
      db,
      sql`select exists (select 1 from notification_outbox
              where organization_id = ${organizationId} and event_id = ${eventId}
                and kind = 'raised') as "isQueued",
            held.reason as "heldReason", held.due_at as "heldDueAt",
            (select detail from alarm_event_log
              where organization_id = ${organizationId} and event_id = ${eventId}
                and kind = 'SUPPRESSED'
              order by number desc limit 1) as "suppressionName",
            exists (select 1 from alarm_event_log
              where organization_id = ${organizationId} and event_id = ${eventId}
                and kind = 'NOTIFIED') as "wasNotified"
          from (select 1) one left join lateral (select reason, due_at from held_notifications
            where organization_id = ${organizationId} and event_id = ${eventId} limit 1) held
            on true`,
    ),
  );
}

export async function findGroup(
  db: Queries,
  organizationId: string,
  id: string | null,
): Promise<GroupFacts | null> {
  const [row] = await run<GroupFacts>(
    db,
    sql`select alarm_groups.id, alarm_groups.name, policy.name as "policyName"
        from alarm_groups left join escalation_policies policy
          on policy.organization_id = alarm_groups.organization_id
          and policy.id = escalation_policy_id
        where alarm_groups.organization_id = ${organizationId} and alarm_groups.id = ${id}`,
  );
  return row ?? null;
}

export function listBrowsers(
  db: Queries,
  organizationId: string,
  userId: string,
): Promise<BrowserFacts[]> {
  return run(
    db,
    sql`select id as "pushId", name, severities from web_push_subscriptions
        where organization_id = ${organizationId} and user_id = ${userId}
        order by created_at, id limit ${MAX_BROWSERS}`,
  );
}

/** The page that the event started or joined last. */
export async function findPage(
  db: Queries,
  organizationId: string,
  eventId: string,
): Promise<PageFacts | null> {
  const [row] = await run<PageFacts>(
    db,
    sql`select page.id, policy_name as "policyName", policy, state, page.severity, step,
          next_step as "nextStep", next_at as "nextAt", acknowledged_at as "acknowledgedAt",
          acknowledged_by as "acknowledgedBy", ended_at as "endedAt"
        from page_events named join pages page
          on page.organization_id = named.organization_id and page.id = named.page_id
        where named.organization_id = ${organizationId} and named.event_id = ${eventId}
        order by joined_at desc limit 1`,
  );
  return row ?? null;
}

export function listSteps(
  db: Queries,
  organizationId: string,
  pageId: string,
): Promise<StepFacts[]> {
  return run(
    db,
    sql`select loop, step, target, is_reached as "isReached", at from page_steps
        where organization_id = ${organizationId} and page_id = ${pageId}
        order by at, loop, step, target limit ${MAX_STEPS}`,
  );
}

/** Where messages to one person may go. */
export interface Addresses {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly pushIds: readonly string[];
}

export function addressesOf(
  { email }: PersonFacts,
  { methods }: ContactWishes,
  browsers: readonly BrowserFacts[],
): Addresses {
  const of = (...kinds: readonly string[]) =>
    methods.flatMap(({ kind, address }) => (kinds.includes(kind) ? [address] : []));
  return {
    emails: [...new Set([email, ...of('EMAIL')].map(fold))],
    phones: [...new Set(of('SMS', 'VOICE'))],
    pushIds: browsers.map(({ pushId }) => pushId),
  };
}

export interface WantedDeliveries {
  readonly eventId: string;
  readonly pageId: string | null;
  readonly userId: string;
  /** When the event was raised. */
  readonly since: number;
  readonly addresses: Addresses;
}

/** Deliveries to the person about the event or its page, oldest first. */
export function listDeliveries(
  db: Queries,
  organizationId: string,
  { eventId, pageId, userId, since, addresses }: WantedDeliveries,
): Promise<DeliveryFacts[]> {
  return run(
    db,
    sql`select case when target.webhook_id is not null then 'WEBHOOK'
            when target.push_id is not null then 'WEB_PUSH'
            when target.phone is not null then target.phone_kind else 'EMAIL' end as channel,
          coalesce(target.email, target.phone, push.name, webhooks.name, '') as address, state,
          started_at as "dueAt", last_attempt_at as "lastAttemptAt", last_error as "lastError",
          page_loop as loop, page_step as step, sent.user_id as "userId"
        from (
          select own.id from notification_targets named join deliveries own
            on own.organization_id = named.organization_id and own.target_id = named.id
          where named.organization_id = ${organizationId}
            and (named.email_folded = any(${addresses.emails}) or named.phone = any(${addresses.phones})
              or named.push_id = any(${addresses.pushIds}::uuid[]))
            and own.created_at >= ${isoDateTime(since - CLOCK_MARGIN_MS)}
            and (own.event_id = ${eventId} or own.event_ids @> array[${eventId}::uuid]
              or own.page_id = ${pageId})
          union
          select paged.id from deliveries paged
          where paged.organization_id = ${organizationId} and paged.page_id = ${pageId}
            and paged.user_id = ${userId}) wanted
        join deliveries sent on sent.organization_id = ${organizationId} and sent.id = wanted.id
        join notification_targets target
          on target.organization_id = sent.organization_id and target.id = sent.target_id
        left join webhooks on webhooks.organization_id = target.organization_id
          and webhooks.id = target.webhook_id
        left join web_push_subscriptions push on push.organization_id = target.organization_id
          and push.id = target.push_id
        order by sent.created_at, sent.id limit ${MAX_DELIVERIES}`,
  );
}
