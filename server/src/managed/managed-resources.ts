import { MANAGED_KINDS, type ManagedKind, type Operations } from '@fieldwatch/contract';
import { type Caller, changeOf, type Handler } from '../http/index.ts';
import { invalid } from '../runtime/index.ts';
import { type Reference, requireReferences, type Storage } from '../storage/index.ts';
import * as store from './store.ts';

/** The keys by which files of configuration name records. */
export interface ManagedResources {
  readonly list: Handler<Operations['listManagedResources']>;
  readonly update: Handler<Operations['updateManagedResources']>;
}

const TABLES: Readonly<Record<ManagedKind, Reference['table']>> = {
  LOCATION: 'locations',
  VARIABLE_FOLDER: 'variable_folders',
  DEVICE: 'devices',
  VARIABLE: 'variables',
  WEBHOOK: 'webhooks',
  ROTA: 'rotas',
  ALARM_GROUP: 'alarm_groups',
  ESCALATION_POLICY: 'escalation_policies',
  ALARM: 'alarms',
  ASSET: 'assets',
  DASHBOARD: 'dashboards',
};

/** An API key does not know of Dashboards that are not public, and cannot write any. */
function seenBy({ kind }: Caller): readonly ManagedKind[] {
  return kind === 'USER' ? MANAGED_KINDS : MANAGED_KINDS.filter((each) => each !== 'DASHBOARD');
}

export function createManagedResources({
  storage,
}: {
  readonly storage: Storage;
}): ManagedResources {
  return {
    async list({ params: { organizationId }, query }, { caller }) {
      const wanted = query.kinds ?? [];
      const kinds = seenBy(caller).filter((kind) => wanted.length === 0 || wanted.includes(kind));
      const { count, rows } = await store.listKeys(storage, organizationId, { kinds }, query);
      return { body: { count, items: [...rows] } };
    },
    async update({ params: { organizationId }, body: { items } }, { tx, caller }) {
      const seen = seenBy(caller);
      const hidden = items.findIndex(({ kind }) => !seen.includes(kind));
      if (hidden >= 0) {
        throw invalid({ path: `items[${hidden}].kind`, message: 'is for users only' });
      }
      await store.lockKeys(tx, organizationId);
      await requireReferences(
        tx,
        organizationId,
        items.map(({ kind, resourceId }, index) => ({
          path: `items[${index}].resourceId`,
          table: TABLES[kind],
          id: resourceId,
        })),
      );
      const given = items.flatMap(({ resourceId, ...rest }): store.ManagedRow[] =>
        resourceId === null ? [] : [{ ...rest, resourceId: resourceId.toLowerCase() }],
      );
      const dropped = await store.dropKeys(tx, organizationId, items);
      if (given.length > 0) await store.insertKeys(tx, organizationId, given);
      return { body: { items: given }, changes: changesOf(organizationId, dropped, given) };
    },
  };
}

/** One entry per record whose key is another one now. */
function changesOf(
  organizationId: string,
  dropped: readonly store.ManagedRow[],
  given: readonly store.ManagedRow[],
) {
  const before = new Map(dropped.map((row) => [row.resourceId, row]));
  const after = new Map(given.map((row) => [row.resourceId, row]));
  const fields = (row: store.ManagedRow | undefined) => row && { kind: row.kind, key: row.key };
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((id) => before.get(id)?.key !== after.get(id)?.key)
    .map((id) =>
      changeOf(organizationId, 'ManagedResource', {
        id,
        before: fields(before.get(id)),
        after: fields(after.get(id)),
      }),
    );
}
