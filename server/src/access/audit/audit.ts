import type { AuditEntry, Operations } from '@fieldwatch/contract';
import type { Change, Context, Handler, RecordChanges } from '../../http/index.ts';
import { LAST_MOMENT_MS, type NewId } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { changedFields } from './changed-fields.ts';
import { insertEntries, listEntries, type NewEntry } from './store.ts';

interface AuditDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

export interface Audit {
  readonly recordChanges: RecordChanges;
  /** What the server did by itself. */
  recordOwnChanges(
    tx: Transaction,
    deed: { readonly operation: string; readonly now: number },
    changes: readonly Change[],
  ): Promise<void>;
  readonly list: Handler<Operations['listAuditLog']>;
}

const SYSTEM: AuditEntry['actor'] = { kind: 'SYSTEM', id: null, name: 'Fieldwatch' };

type Deed = Omit<NewEntry, 'organizationId' | 'id' | 'resource' | 'resourceId' | 'changes'>;

export function createAudit({ storage, newId }: AuditDeps): Audit {
  async function record(tx: Transaction, deed: Deed, changes: readonly Change[]): Promise<void> {
    const entries = changes.flatMap((change) =>
      change.organizationIds.map((organizationId) => ({
        ...deed,
        actor: change.actor ?? deed.actor,
        organizationId,
        id: newId(),
        resource: change.resource,
        resourceId: change.resourceId,
        changes: changedFields(change.before, change.after),
      })),
    );
    if (entries.length > 0) await insertEntries(tx, entries);
  }

  return {
    recordChanges: (tx, request, changes) => record(tx, deedOf(request), changes),
    recordOwnChanges: (tx, { operation, now }, changes) =>
      record(
        tx,
        { operation, occurredAt: now, actor: SYSTEM, address: null, requestId: null },
        changes,
      ),
    list: async ({ params, query }) => ({
      body: await listEntries(storage, params.organizationId, {
        startTimeMs:
          query.startTime === undefined ? null : Math.min(query.startTime, LAST_MOMENT_MS),
        endTimeMs: query.endTime === undefined ? null : Math.min(query.endTime, LAST_MOMENT_MS),
        category: query.category ?? null,
        actorId: query.actorId ?? null,
        resource: query.resource ?? null,
        resourceId: query.resourceId ?? null,
        skip: query.skip,
        take: query.take,
      }),
    }),
  };
}

function deedOf(request: Context & Parameters<RecordChanges>[1]): Deed {
  const { caller } = request;
  if (caller?.kind === 'DEVICE' || caller?.kind === 'SHARE') {
    throw new Error('Devices write nothing but readings, and share links write nothing');
  }
  return {
    operation: request.operation,
    occurredAt: request.now,
    actor: caller ? { kind: caller.kind, id: caller.id, name: caller.name } : SYSTEM,
    address: request.address,
    requestId: request.requestId,
  };
}
