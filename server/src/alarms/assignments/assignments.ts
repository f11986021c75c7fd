import type { AlarmAssignment, Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { invalid, isoDateTime } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import * as store from './store.ts';

export interface AlarmAssignmentsDeps {
  readonly storage: Storage;
  /** Called after the commit of changes to events of the organization. */
  readonly onEventsChanged: (organizationId: string) => void;
}

/** Which member takes care of which alarm event. */
export interface AlarmAssignments {
  readonly list: Handler<Operations['listAlarmAssignments']>;
  readonly assign: Handler<Operations['assignAlarmEvents']>;
  readonly assignees: Handler<Operations['listAlarmAssignees']>;
}

export function createAlarmAssignments(deps: AlarmAssignmentsDeps): AlarmAssignments {
  const { storage } = deps;
  return {
    async list({ params: { organizationId }, query }) {
      const { eventIds = [] } = query;
      const found = await store.listAssignments(storage, organizationId, eventIds, query);
      return { body: { count: found.count, items: found.rows.map(assignmentRecord) } };
    },
    assign: assign(deps),
    async assignees({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const { count, rows } = await store.listAssignees(storage, organizationId, search, query);
      return { body: { count, items: [...rows] } };
    },
  };
}

function assign({ onEventsChanged }: AlarmAssignmentsDeps): AlarmAssignments['assign'] {
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    const ids = [...new Set(body.eventIds.map((id) => id.toLowerCase()))];
    const known = new Set(await store.lockEvents(tx, organizationId, ids));
    const unknown = body.eventIds.flatMap((id, index) =>
      known.has(id.toLowerCase())
        ? []
        : [{ path: `eventIds[${index}]`, message: `names no event of this organization: ${id}` }],
    );
    if (unknown.length > 0) throw invalid(...unknown);
    const assignee = await assigneeOf(tx, organizationId, body.userId);
    const before = await recordsByEvent(tx, organizationId, ids);
    // Only a change is recorded: an event that the member has already stays as it is.
    const eventIds = ids.filter((id) => before.get(id)?.userId !== assignee?.userId);
    if (eventIds.length > 0) {
      const assigning = { eventIds, assignee, actor: caller.name, now };
      tx.afterCommit(() => onEventsChanged(organizationId));
      await store.saveAssignments(tx, organizationId, assigning);
      await store.insertAssignedLog(tx, organizationId, assigning);
    }
    const after = await recordsByEvent(tx, organizationId, ids);
    const items = ids.flatMap((id) => after.get(id) ?? []);
    return {
      body: { count: items.length, items },
      changes: eventIds.map((id) => changed(organizationId, id, before.get(id), after.get(id))),
    };
  };
}

async function assigneeOf(
  tx: Transaction,
  organizationId: string,
  userId: string | null,
): Promise<store.AssigneeRow | null> {
  if (userId === null) return null;
  const assignee = await store.holdAssignee(tx, organizationId, userId.toLowerCase());
  if (assignee) return assignee;
  throw invalid({ path: 'userId', message: `names no member of this organization: ${userId}` });
}

async function recordsByEvent(tx: Transaction, organizationId: string, ids: readonly string[]) {
  const rows = await store.findAssignments(tx, organizationId, ids);
  return new Map(rows.map((row) => [row.eventId, assignmentRecord(row)]));
}

function assignmentRecord({ assignedAt, ...row }: store.AssignmentRow): AlarmAssignment {
  const { eventId, userId, email, name, assignedBy } = row;
  return { eventId, userId, email, name, assignedBy, assignedDateTime: isoDateTime(assignedAt) };
}

function changed(
  organizationId: string,
  id: string,
  before: AlarmAssignment | undefined,
  after: AlarmAssignment | undefined,
): Change {
  return changeOf(organizationId, 'AlarmAssignment', { id, before, after });
}
