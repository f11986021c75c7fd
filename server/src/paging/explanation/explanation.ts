import type { Operations } from '@fieldwatch/contract';
import { findEventRecords } from '../../alarms/index.ts';
import type { Handler } from '../../http/index.ts';
import { listSubscriptions } from '../../notify/index.ts';
import { Failure, invalid, isUuid, notFound } from '../../runtime/index.ts';
import type { Queries, Storage } from '../../storage/index.ts';
import { findContactWishes } from '../contacts/index.ts';
import { idOf } from '../policies/index.ts';
import { findRotas } from '../rotas/index.ts';
import { isFollowing } from '../subscriptions/index.ts';
import { explain } from './explain.ts';
import type { Facts, PageFacts } from './facts.ts';
import * as store from './store.ts';

export interface ExplanationDeps {
  readonly storage: Storage;
  readonly hasMail: boolean;
}

export type RetrieveExplanation = Handler<Operations['retrieveNotificationExplanation']>;

/** Contact methods and rules are personal: those of others are for who manages users. */
export function createExplanation({ storage, hasMail }: ExplanationDeps): RetrieveExplanation {
  return async ({ params: { organizationId, eventId }, query }, { caller, now }) => {
    const own = caller.kind === 'USER' ? caller.id : undefined;
    const userId = query.userId?.toLowerCase() ?? own;
    if (userId === undefined) {
      throw invalid({ path: 'userId', message: 'is required: an API key is no user' });
    }
    if (userId !== own && !caller.permissionsIn(organizationId)?.has('ManageUsers')) {
      const detail = 'Notifications of another user need the permission ManageUsers.';
      throw new Failure('PERMISSION_MISSING', detail);
    }
    const about = { organizationId, eventId: eventId.toLowerCase(), userId };
    return { body: explain(await gather(storage, about, { hasMail, now })) };
  };
}

interface About {
  readonly organizationId: string;
  readonly eventId: string;
  readonly userId: string;
}

/** The facts, by a fixed number of bounded queries. */
async function gather(
  db: Queries,
  { organizationId, eventId, userId }: About,
  { hasMail, now }: { readonly hasMail: boolean; readonly now: number },
): Promise<Facts> {
  const events = isUuid(eventId) ? await findEventRecords(db, [{ organizationId, eventId }]) : null;
  const event = events?.get(eventId);
  if (!event) throw notFound('event');
  const person = isUuid(userId) ? await store.findPerson(db, organizationId, userId) : null;
  if (!person) throw notFound('user');
  const none = { email: person.email, methods: [], bands: [], quietHours: null };
  const wishes = (await findContactWishes(db, { organizationId, userId })) ?? none;
  const browsers = await store.listBrowsers(db, organizationId, userId);
  const group = await store.findGroup(db, organizationId, event.alarmGroupId);
  const names = group ? [{ organizationId, alarmGroupId: group.id }] : [];
  const page = await store.findPage(db, organizationId, eventId);
  return {
    ...{ organizationId, now, hasMail, event, person, wishes, group, browsers, page },
    progress: await store.findProgress(db, organizationId, eventId),
    isFollowing: group !== null && (await isFollowing(db, { organizationId, userId }, group.id)),
    subscriptions: await listSubscriptions(db, names),
    steps: page ? await store.listSteps(db, organizationId, page.id) : [],
    rotas: await findRotas(db, rotasOf(organizationId, page)),
    deliveries: await store.listDeliveries(db, organizationId, {
      ...{ eventId, userId, pageId: page?.id ?? null },
      since: Date.parse(event.raisedDateTime),
      addresses: store.addressesOf(person, wishes, browsers),
    }),
  };
}

function rotasOf(organizationId: string, page: PageFacts | null) {
  const targets = (page?.policy.steps ?? []).flatMap((step) => step.targets);
  const ids = targets.flatMap((target) => (target.kind === 'ROTA' ? [idOf(target)] : []));
  return [...new Set(ids)].map((rotaId) => ({ organizationId, rotaId }));
}
