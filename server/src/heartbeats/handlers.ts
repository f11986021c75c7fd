import { HEARTBEAT_LIMITS, type Heartbeat, type Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../http/index.ts';
import { urlErrors } from '../notify/index.ts';
import { Failure, invalid, isoDateTime, type NewId, notFound } from '../runtime/index.ts';
import type { Storage, Transaction } from '../storage/index.ts';
import * as store from './store.ts';

export interface HandlersDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

export interface HeartbeatHandlers {
  readonly list: Handler<Operations['listHeartbeats']>;
  readonly retrieve: Handler<Operations['retrieveHeartbeat']>;
  readonly create: Handler<Operations['createHeartbeat']>;
  readonly update: Handler<Operations['updateHeartbeat']>;
  readonly delete: Handler<Operations['deleteHeartbeat']>;
}

export function createHandlers({ storage, newId }: HandlersDeps): HeartbeatHandlers {
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listHeartbeats(storage, organizationId, { search }, query);
      return { body: { count: found.count, items: found.rows.map(recordOf) } };
    },
    async retrieve({ params: { organizationId, heartbeatId } }) {
      const row = await store.findHeartbeat(storage, organizationId, heartbeatId);
      if (!row) throw notFound('heartbeat');
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(newId),
    update,
    delete: remove,
  };
}

function create(newId: NewId): HeartbeatHandlers['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    requireUsable(body.url);
    const { perOrganization } = HEARTBEAT_LIMITS;
    if ((await store.countLocked(tx, organizationId)) >= perOrganization) {
      const detail = `An organization has at most ${perOrganization} heartbeats: delete one first.`;
      throw new Failure('CONFLICT', detail);
    }
    const id = newId();
    const row = await store.insertHeartbeat(tx, organizationId, { ...body, id, now });
    return {
      body: recordOf(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/heartbeats/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

const update: HeartbeatHandlers['update'] = async ({ params, body }, context) => {
  const { organizationId, heartbeatId: id } = params;
  const row = await lock(context.tx, organizationId, id);
  context.precondition.check(row.revision);
  requireUsable(body.url);
  const fields = { ...row, ...body };
  const saved = await store.updateHeartbeat(context.tx, organizationId, id, fields, context.now);
  return {
    body: recordOf(saved),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

const remove: HeartbeatHandlers['delete'] = async ({ params }, { tx, precondition }) => {
  const { organizationId, heartbeatId } = params;
  const row = await lock(tx, organizationId, heartbeatId);
  precondition.check(row.revision);
  await store.deleteHeartbeat(tx, organizationId, heartbeatId);
  return { body: undefined, changes: changed(organizationId, row) };
};

async function lock(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<store.HeartbeatRow> {
  const row = await store.lockHeartbeat(tx, organizationId, id);
  if (!row) throw notFound('heartbeat');
  return row;
}

function requireUsable(url: string | undefined): void {
  const errors = urlErrors(url);
  if (errors.length > 0) throw invalid(...errors);
}

function fieldsOf(row: store.HeartbeatRow) {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    url: row.url,
    everySeconds: row.everySeconds,
    isActive: row.isActive,
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function recordOf(row: store.HeartbeatRow): Heartbeat {
  const { isHealthy, lastSentAt, lastError } = row;
  const lastSentDateTime = lastSentAt === null ? null : isoDateTime(lastSentAt);
  return { ...fieldsOf(row), isHealthy, lastSentDateTime, lastError };
}

function changed(
  organizationId: string,
  before?: store.HeartbeatRow,
  after?: store.HeartbeatRow,
): Change[] {
  const id = (after ?? before)?.id ?? '';
  const change = { id, before: before && fieldsOf(before), after: after && fieldsOf(after) };
  return [changeOf(organizationId, 'Heartbeat', change)];
}
