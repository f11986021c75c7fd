import { type ActualState, type Call, countReadings } from './exchange/index.ts';
import type { DesiredRecord, Problem } from './files/index.ts';
import {
  deviceKeyOf,
  isObject,
  type Json,
  KINDS_FOR_USERS,
  nameOf,
  ONLINE_KEY,
  type Referable,
} from './model/index.ts';
import {
  type CountedPlan,
  fixedFieldProblems,
  type Plan,
  planOf,
  type Step,
} from './plan/index.ts';

export type Desired = readonly DesiredRecord[];

const NEEDS_USER = 'this needs a user: --user, or FIELDWATCH_USER and FIELDWATCH_PASSWORD';

const isForUsers = (kind: Referable) => kind === 'users' || KINDS_FOR_USERS.includes(kind);

/** References to records that are neither in the files nor on the server. */
export function referenceProblems(
  desired: Desired,
  state: ActualState,
  isUser: boolean,
): Problem[] {
  const names = new Set(desired.map(nameOf));
  const online = desired.filter(({ kind }) => kind === 'devices');
  for (const { key } of online) {
    names.add(nameOf({ kind: 'variables', key: `${key}/${ONLINE_KEY}` }));
  }
  return desired.flatMap(({ references, kind, key, place }) => {
    if (isForUsers(kind) && !isUser) {
      return [{ ...place, field: nameOf({ kind, key }), reason: `cannot be read: ${NEEDS_USER}` }];
    }
    return references
      .filter(
        (each) => !names.has(nameOf(each)) && state.idOf(each.kind, each.key, '') === undefined,
      )
      .map(({ kind: refersTo, key: name, ...at }) => ({
        ...at,
        reason:
          isForUsers(refersTo) && !isUser
            ? `names ${name}: ${NEEDS_USER}`
            : `names ${name}, which is neither in the files nor on the server among the ${refersTo}`,
      }));
  });
}

/** The plan, and how many readings its deletions lose. */
export async function countedPlan(
  call: Call,
  desired: Desired,
  { records: actual }: ActualState,
  isPruned: boolean,
): Promise<{ readonly counted: CountedPlan; readonly problems: readonly Problem[] }> {
  const plan = planOf({ desired, actual, isPruned });
  const problems = [...fixedProblems(desired, plan), ...deletionProblems(desired, plan)];
  const readings = new Map<string, number>();
  for (const step of plan.stages.flat()) {
    if (step.action !== 'delete') continue;
    const ids = await variableIdsOf(call, step);
    if (ids) readings.set(nameOf(step), await countReadings(call, ids));
  }
  return { counted: { plan, readings }, problems };
}

function fixedProblems(desired: Desired, plan: Plan): Problem[] {
  const places = new Map(desired.map((record) => [nameOf(record), record.place]));
  return fixedFieldProblems(plan).flatMap(({ record, field }): Problem[] => {
    const place = places.get(nameOf(record));
    const reason =
      'cannot be changed. Remove the record, apply with --prune, then add it under a new key';
    return place ? [{ ...place, field: `${nameOf(record)}.${field}`, reason }] : [];
  });
}

/** References to records that are on the server now, and would be deleted. */
function deletionProblems(desired: Desired, { stages }: Plan): Problem[] {
  const deleted = new Set(
    stages.flat().flatMap((step) => (step.action === 'delete' ? [nameOf(step)] : [])),
  );
  const isDeleted = ({ kind, key }: { readonly kind: Referable; readonly key: string }) =>
    deleted.has(nameOf({ kind, key })) ||
    (kind === 'variables' && deleted.has(nameOf({ kind: 'devices', key: deviceKeyOf(key) })));
  return desired.flatMap(({ references }) =>
    references.filter(isDeleted).map(({ kind: _, key, ...at }) => ({
      ...at,
      reason: `names ${key}, which is in no file, and would be deleted by --prune`,
    })),
  );
}

const MAX_VARIABLES = 1_000;

/** The Variables that a deletion deletes; undefined for kinds that have no readings. */
async function variableIdsOf(
  call: Call,
  { kind, actual: { id } }: Extract<Step, { action: 'delete' }>,
): Promise<string[] | undefined> {
  if (kind === 'variables') return [id];
  if (kind !== 'devices') return undefined;
  const ids: string[] = [];
  for (;;) {
    const query = { skip: ids.length, take: MAX_VARIABLES };
    const { body } = await call('listDeviceVariables', { deviceId: id, query });
    const items = isObject(body) && Array.isArray(body.items) ? (body.items as Json[]) : [];
    ids.push(...items.map((item) => (isObject(item) ? String(item.id) : '')));
    if (items.length < MAX_VARIABLES) return ids;
  }
}
