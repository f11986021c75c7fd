import type { Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { Failure, isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import {
  type Queries,
  requireReferences,
  type Storage,
  type Transaction,
} from '../../storage/index.ts';
import { periodAt } from '../schedule/index.ts';
import { countHeld } from '../suppression/index.ts';
import { releaseHeld } from './advance.ts';
import { type OnTurn, reportTurn, type SendWindowMessage, turnByEdit } from './messages.ts';
import * as store from './store.ts';
import {
  editableRecord,
  editedFields,
  newFields,
  progressAt,
  referencesIn,
  windowRecord,
} from './window.ts';

export interface WindowsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  /** Called after a commit that may have put notifications into the outbox. */
  readonly onReleased: () => void;
  /** Has a message about a window sent. */
  readonly send: SendWindowMessage;
  readonly onTurn: OnTurn;
}

export interface Windows {
  readonly list: Handler<Operations['listMaintenanceWindows']>;
  readonly retrieve: Handler<Operations['retrieveMaintenanceWindow']>;
  readonly create: Handler<Operations['createMaintenanceWindow']>;
  readonly update: Handler<Operations['updateMaintenanceWindow']>;
  readonly end: Handler<Operations['endMaintenanceWindow']>;
  readonly delete: Handler<Operations['deleteMaintenanceWindow']>;
}

const MAX_WINDOWS_PER_ORGANIZATION = 500;

export function createWindows(deps: WindowsDeps): Windows {
  const { storage } = deps;
  return {
    async list({ params: { organizationId }, query }, { now }) {
      const { search = '', state, locationId, assetId, deviceId } = query;
      const filter = { search, state, locationId, assetId, deviceId };
      const { count, rows } = await store.listWindows(storage, organizationId, filter, query);
      return { body: { count, items: await recordsOf(storage, organizationId, rows, now) } };
    },
    async retrieve({ params: { organizationId, maintenanceWindowId } }, { now }) {
      const row = await store.findWindow(storage, organizationId, maintenanceWindowId);
      if (!row) throw notFound('maintenance window');
      return await tagged(storage, organizationId, row, now);
    },
    create: create(deps),
    update: update(deps),
    end: end(deps),
    delete: remove(deps),
  };
}

function create(deps: WindowsDeps): Windows['create'] {
  const { newId } = deps;
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    await requireReferences(tx, organizationId, referencesIn(body.scope));
    const fields = newFields(body, now);
    if ((await store.countPending(tx, organizationId)) >= MAX_WINDOWS_PER_ORGANIZATION) {
      const max = MAX_WINDOWS_PER_ORGANIZATION;
      const detail = `An organization has at most ${max} maintenance windows that have not ended.`;
      throw new Failure('CONFLICT', detail);
    }
    const id = newId();
    const row = await store.insertWindow(tx, organizationId, {
      ...fields,
      ...{ id, now, createdBy: caller.name },
    });
    await report(deps, tx, organizationId, { before: null, window: row, now });
    return {
      ...(await tagged(tx, organizationId, row, now)),
      location: `/primary/v1/${organizationId}/maintenance-windows/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update(deps: WindowsDeps): Windows['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, maintenanceWindowId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    await requireReferences(tx, organizationId, referencesIn(body.scope));
    const saved = await store.updateWindow(
      tx,
      organizationId,
      id,
      editedFields(row, body, now),
      now,
    );
    // What the window still covers is held again.
    await release(deps, tx, organizationId, saved);
    await report(deps, tx, organizationId, { before: row.openTo, window: saved, now });
    return {
      ...(await tagged(tx, organizationId, saved, now)),
      changes: changed(organizationId, row, saved),
    };
  };
}

function end(deps: WindowsDeps): Windows['end'] {
  return async ({ params }, { tx, now, precondition }) => {
    const { organizationId, maintenanceWindowId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    if (periodAt(row, now) === null) {
      throw new Failure('CONFLICT', 'The maintenance window is not in progress.');
    }
    const ended = { ...row, endedAt: now };
    const fields = { ...ended, ...progressAt(ended, now) };
    const saved = await store.updateWindow(tx, organizationId, id, fields, now);
    await release(deps, tx, organizationId, saved);
    await report(deps, tx, organizationId, { before: row.openTo, window: saved, now });
    return {
      ...(await tagged(tx, organizationId, saved, now)),
      changes: changed(organizationId, row, saved),
    };
  };
}

function remove(deps: WindowsDeps): Windows['delete'] {
  return async ({ params }, { tx, now, precondition }) => {
    const { organizationId, maintenanceWindowId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    await release(deps, tx, organizationId, row);
    const window = { ...row, openTo: null };
    await report(deps, tx, organizationId, { before: row.openTo, window, now });
    await store.deleteWindow(tx, organizationId, id);
    return { body: undefined, changes: changed(organizationId, row) };
  };
}

async function release(
  { newId, onReleased }: WindowsDeps,
  tx: Transaction,
  organizationId: string,
  row: store.WindowRow,
): Promise<void> {
  tx.afterCommit(onReleased);
  await releaseHeld(tx, organizationId, row, newId);
}

interface Edited {
  /** The end of the period in progress before the edit. */
  readonly before: number | null;
  readonly window: store.WindowRow;
  readonly now: number;
}

/** Reports that the period in progress began or ended by an edit. */
async function report(
  { send, onTurn, onReleased }: WindowsDeps,
  tx: Transaction,
  organizationId: string,
  { before, window, now }: Edited,
): Promise<void> {
  tx.afterCommit(onReleased);
  const turn = turnByEdit({ before, after: window.openTo });
  // Pages are locked before the targets of messages, as everywhere.
  await onTurn(tx, organizationId, now);
  await reportTurn(tx, send, organizationId, window, { turn, now });
}

async function lock(tx: Transaction, organizationId: string, id: string): Promise<store.WindowRow> {
  const row = await store.lockWindow(tx, organizationId, id);
  if (!row) throw notFound('maintenance window');
  return row;
}

async function recordsOf(
  db: Queries,
  organizationId: string,
  rows: readonly store.WindowRow[],
  now: number,
) {
  const held = await countHeld(
    db,
    organizationId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => windowRecord(row, held.get(row.id) ?? 0, now));
}

async function tagged(db: Queries, organizationId: string, row: store.WindowRow, now: number) {
  const [body] = await recordsOf(db, organizationId, [row], now);
  if (!body) throw notFound('maintenance window');
  return { body, revision: row.revision };
}

function changed(
  organizationId: string,
  before?: store.WindowRow,
  after?: store.WindowRow,
): Change[] {
  const change = {
    id: (after ?? before)?.id ?? '',
    before: before && auditRecord(before),
    after: after && auditRecord(after),
  };
  return [changeOf(organizationId, 'MaintenanceWindow', change)];
}

const auditRecord = (row: store.WindowRow) => ({
  ...editableRecord(row),
  endedDateTime: row.endedAt === null ? null : isoDateTime(row.endedAt),
});
