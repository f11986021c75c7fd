import type { Body, EscalationPolicy, EscalationStep, Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { type Clock, invalid, isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import type { Queries, Storage, Transaction } from '../../storage/index.ts';
import { findReach, idOf, type Reach, warningsOf } from './reach.ts';
import * as store from './store.ts';

export interface PoliciesDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  /** Whether the server has a mail server to send by. */
  readonly hasMail: boolean;
  readonly clock: Clock;
}

/** Who is paged about alarms, when, and who after that. */
export interface Policies {
  readonly list: Handler<Operations['listEscalationPolicies']>;
  readonly retrieve: Handler<Operations['retrieveEscalationPolicy']>;
  readonly create: Handler<Operations['createEscalationPolicy']>;
  readonly update: Handler<Operations['updateEscalationPolicy']>;
  readonly delete: Handler<Operations['deleteEscalationPolicy']>;
}

export function createPolicies(deps: PoliciesDeps): Policies {
  const { storage, hasMail, clock } = deps;
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listPolicies(storage, organizationId, { search }, query);
      const steps = found.rows.flatMap((row) => row.steps);
      const reach = await findReach(storage, organizationId, steps, { hasMail, now: clock.now() });
      return { body: { count: found.count, items: found.rows.map((row) => recordOf(row, reach)) } };
    },
    async retrieve({ params: { organizationId, policyId } }) {
      const row = await store.findPolicy(storage, organizationId, policyId);
      if (!row) throw notFound('escalation policy');
      const moment = { hasMail, now: clock.now() };
      return { body: await shown(storage, organizationId, row, moment), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    delete: remove,
  };
}

function create({ newId, hasMail }: PoliciesDeps): Policies['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const id = newId();
    const steps = stepsOf(body.steps);
    await requireTargets(tx, organizationId, steps, []);
    const { description = null, acknowledgeTimeoutSeconds = null } = body;
    const fields = { ...body, description, acknowledgeTimeoutSeconds, steps };
    const row = await store.insertPolicy(tx, organizationId, { ...fields, id, now });
    return {
      body: await shown(tx, organizationId, row, { hasMail, now }),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/escalation-policies/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update({ hasMail }: PoliciesDeps): Policies['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, policyId } = params;
    const row = await lock(tx, organizationId, policyId);
    precondition.check(row.revision);
    const steps = body.steps ? stepsOf(body.steps) : row.steps;
    await requireTargets(tx, organizationId, steps, row.steps);
    const fields = { ...row, ...body, steps };
    const saved = await store.updatePolicy(tx, organizationId, policyId, fields, now);
    return {
      body: await shown(tx, organizationId, saved, { hasMail, now }),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

const remove: Policies['delete'] = async ({ params }, { tx, precondition }) => {
  const { organizationId, policyId } = params;
  const row = await lock(tx, organizationId, policyId);
  precondition.check(row.revision);
  await store.deletePolicy(tx, organizationId, policyId);
  return { body: undefined, changes: changed(organizationId, row) };
};

type WrittenSteps = Body<Operations['createEscalationPolicy']>['steps'];

/** Ids are stored in lower case, as they are compared later. */
function stepsOf(steps: WrittenSteps): EscalationStep[] {
  return steps.map((step) => ({
    ...step,
    targets: step.targets.map((target) => {
      if (target.kind === 'USER') return { ...target, userId: idOf(target) };
      if (target.kind === 'ROTA') return { ...target, rotaId: idOf(target) };
      if (target.kind === 'WEBHOOK') return { ...target, webhookId: idOf(target) };
      return { ...target, alarmGroupId: idOf(target) };
    }),
  }));
}

/** A target that an edit keeps may name what was deleted since; a new one must exist. */
async function requireTargets(
  tx: Transaction,
  organizationId: string,
  steps: readonly EscalationStep[],
  before: readonly EscalationStep[],
): Promise<void> {
  const reach = await findReach(tx, organizationId, steps, { hasMail: true, now: 0 });
  const kept = new Set(before.flatMap(({ targets }) => targets.map(idOf)));
  const errors = steps.flatMap(({ targets }, step) => {
    const seen = new Map<string, number>();
    return targets.flatMap((target, index) => {
      const id = idOf(target);
      const path = `steps[${step}].targets[${index}]`;
      const first = seen.get(id);
      seen.set(id, first ?? index);
      if (first !== undefined) {
        return [{ path, message: `repeats steps[${step}].targets[${first}]` }];
      }
      const { members, onCall, groups, webhooks } = reach;
      const known = [members, onCall, groups, webhooks].some((each) => each.has(id));
      if (known || kept.has(id)) return [];
      return [{ path, message: `names nothing that exists in this organization: ${id}` }];
    });
  });
  if (errors.length > 0) throw invalid(...errors);
}

async function lock(tx: Transaction, organizationId: string, id: string): Promise<store.PolicyRow> {
  const row = await store.lockPolicy(tx, organizationId, id);
  if (!row) throw notFound('escalation policy');
  return row;
}

async function shown(
  db: Queries,
  organizationId: string,
  row: store.PolicyRow,
  moment: Parameters<typeof findReach>[3],
): Promise<EscalationPolicy> {
  return recordOf(row, await findReach(db, organizationId, row.steps, moment));
}

function fieldsOf(row: store.PolicyRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    steps: [...row.steps],
    repeat: row.repeat,
    acknowledgeTimeoutSeconds: row.acknowledgeTimeoutSeconds,
    groupSeconds: row.groupSeconds,
    groupBy: row.groupBy,
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function recordOf(row: store.PolicyRow, reach: Reach): EscalationPolicy {
  return { ...fieldsOf(row), warnings: warningsOf(row.steps, reach) };
}

function changed(
  organizationId: string,
  before?: store.PolicyRow,
  after?: store.PolicyRow,
): Change[] {
  const id = (after ?? before)?.id ?? '';
  const change = { id, before: before && fieldsOf(before), after: after && fieldsOf(after) };
  return [changeOf(organizationId, 'EscalationPolicy', change)];
}
