import type { NotificationBand, NotificationRules, Operations } from '@fieldwatch/contract';
import { changeOf, type Handler } from '../../http/index.ts';
import { invalid, isoDateTime } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { listContactPlans } from './contact-plans.ts';
import { isAlwaysQuiet } from './plan.ts';
import * as store from './store.ts';

/** How and when a user is contacted; each has their own rules. */
export interface NotificationRulesHandlers {
  readonly retrieve: Handler<Operations['retrieveNotificationRules']>;
  readonly update: Handler<Operations['updateNotificationRules']>;
  readonly preview: Handler<Operations['previewNotificationRules']>;
}

const NO_RULES: store.RulesRow = { bands: [], quietHours: null, updatedAt: 0, revision: 1 };

export function createNotificationRules({
  storage,
}: {
  readonly storage: Storage;
}): NotificationRulesHandlers {
  return {
    async retrieve({ params: { organizationId } }, { caller }) {
      const member = { organizationId, userId: caller.id };
      const rules = (await store.findRules(storage, member)) ?? NO_RULES;
      const methods = await store.listMethodsOf(storage, [member]);
      return { body: rulesRecord(rules, methods), revision: rules.revision };
    },
    update,
    async preview({ params: { organizationId }, query: { severity, at } }, { caller, now }) {
      const wanted = [{ organizationId, userId: caller.id, severity }];
      const dueAt = at === undefined ? now : Date.parse(at);
      const [plan] = await listContactPlans(storage, wanted, dueAt);
      const items = (plan?.steps ?? []).map(({ dueAt: due, ...step }) => ({
        ...step,
        dueDateTime: isoDateTime(due),
      }));
      return { body: { count: items.length, items } };
    },
  };
}

const update: NotificationRulesHandlers['update'] = async ({ params, body }, context) => {
  const { tx, now, caller, precondition } = context;
  const member = { organizationId: params.organizationId, userId: caller.id };
  const methods = await store.lockMethods(tx, member);
  const row = (await store.findRules(tx, member)) ?? NO_RULES;
  precondition.check(row.revision);
  const known = new Set(methods.map(({ id }) => id));
  const bands = body.bands === undefined ? row.bands : bandsOf(body.bands);
  if (body.bands !== undefined) requireMethods(bands, known);
  const quietHours = body.quietHours === undefined ? row.quietHours : body.quietHours;
  if (quietHours && isAlwaysQuiet(quietHours, now)) {
    throw invalid({
      path: 'quietHours.hours',
      message: 'must leave some time of the week in which the user can be contacted',
    });
  }
  const saved = await store.saveRules(tx, member, { bands, quietHours }, now);
  const owned = await store.listMethodsOf(tx, [member]);
  const change = {
    id: member.userId,
    before: rulesRecord(row, owned),
    after: rulesRecord(saved, owned),
  };
  return {
    body: change.after,
    revision: saved.revision,
    changes: [changeOf(member.organizationId, 'NotificationRules', change)],
  };
};

function bandsOf(bands: readonly NotificationBand[]): NotificationBand[] {
  return bands.map(({ severities, steps }) => ({
    severities,
    steps: steps.map((step) => ({ ...step, contactMethodId: step.contactMethodId.toLowerCase() })),
  }));
}

function requireMethods(bands: readonly NotificationBand[], known: ReadonlySet<string>): void {
  const errors = bands.flatMap(({ steps }, band) =>
    steps.flatMap(({ contactMethodId }, step) => {
      if (known.has(contactMethodId)) return [];
      const path = `bands[${band}].steps[${step}].contactMethodId`;
      return [{ path, message: `names no contact method of the user: ${contactMethodId}` }];
    }),
  );
  if (errors.length > 0) throw invalid(...errors);
}

/** Steps by contact methods that are gone are left out, and so are bands that had no others. */
function rulesRecord(
  { bands, quietHours, updatedAt, revision: _ }: store.RulesRow,
  methods: readonly store.OwnedMethodRow[],
): NotificationRules {
  const known = new Set(methods.map(({ id }) => id));
  const kept = bands.flatMap(({ severities, steps }) => {
    const usable = steps.filter(({ contactMethodId }) => known.has(contactMethodId));
    return usable.length === 0 && steps.length > 0 ? [] : [{ severities, steps: usable }];
  });
  return {
    bands: kept,
    quietHours,
    warnings: warningsOf(kept, methods),
    updatedDateTime: updatedAt === 0 ? null : isoDateTime(updatedAt),
  };
}

function warningsOf(
  bands: readonly NotificationBand[],
  methods: readonly store.OwnedMethodRow[],
): string[] {
  const unverified = methods.filter(({ isVerified }) => !isVerified);
  if (methods.length === unverified.length) {
    return [
      'You have no verified contact method, so you are contacted by mail to the address of your account alone: add a contact method and verify it.',
    ];
  }
  const used = new Set(bands.flatMap(({ steps }) => steps.map((step) => step.contactMethodId)));
  return unverified
    .filter(({ id }) => used.has(id))
    .map(({ address }) => `${address} is not verified and is left out: verify it.`);
}
