import type { Queries } from '../../storage/index.ts';
import { onCallAt, type RotaPlan } from './shifts.ts';
import { listMembers, listRotasNamed, type PersonRow } from './store.ts';

/** The users that a rota names, each once. */
export function usersNamedIn({ layers, overrides }: RotaPlan): string[] {
  const ids = [
    ...layers.flatMap(({ userIds }) => userIds),
    ...overrides.map(({ userId }) => userId),
  ];
  return [...new Set(ids.filter((id) => id !== null))];
}

/** The rota without users who are no members: in their turn the layers below apply. */
export function planOfMembers<P extends RotaPlan>(rota: P, isMember: (id: string) => boolean): P {
  return {
    ...rota,
    layers: rota.layers.map((layer) => ({
      ...layer,
      userIds: layer.userIds.map((id) => (id !== null && isMember(id) ? id : null)),
    })),
    overrides: rota.overrides.filter(({ userId }) => isMember(userId)),
  };
}

type OwnedPlan = RotaPlan & { readonly organizationId: string };

/** The members among the users whom the rotas name, by their ids. */
export async function membersOf(
  db: Queries,
  rotas: readonly OwnedPlan[],
): Promise<(organizationId: string) => ReadonlyMap<string, PersonRow>> {
  const wanted = rotas.flatMap((rota) =>
    usersNamedIn(rota).map((userId) => ({ organizationId: rota.organizationId, userId })),
  );
  const found = new Map<string, Map<string, PersonRow>>();
  for (const person of await listMembers(db, wanted)) {
    const members = found.get(person.organizationId) ?? new Map<string, PersonRow>();
    found.set(person.organizationId, members.set(person.userId, person));
  }
  return (organizationId) => found.get(organizationId) ?? new Map();
}

/** A rota as far as it says who is on call. */
export interface KnownRota {
  readonly name: string;
  /** Whom it names, members or not. */
  readonly userIds: readonly string[];
  /** Who is on call at a moment; null when nobody is. */
  onCallAt(at: number): string | null;
}

/** Rotas by their ids; those that do not exist are left out. */
export async function findRotas(
  db: Queries,
  rotas: readonly { readonly organizationId: string; readonly rotaId: string }[],
): Promise<ReadonlyMap<string, KnownRota>> {
  const rows = await listRotasNamed(db, rotas);
  const members = await membersOf(db, rows);
  return new Map(
    rows.map((row) => {
      const known = members(row.organizationId);
      const plan = planOfMembers(row, (id) => known.has(id));
      const { name } = row;
      return [
        row.id,
        { name, userIds: usersNamedIn(row), onCallAt: (at: number) => onCallAt(plan, at) },
      ];
    }),
  );
}

/**
 * Who is on call in rotas at a moment, by the id of the rota; null when nobody is. A rota that does
 * not exist is left out.
 */
export async function listOnCall(
  db: Queries,
  rotas: readonly { readonly organizationId: string; readonly rotaId: string }[],
  at: number,
): Promise<ReadonlyMap<string, string | null>> {
  const found = await findRotas(db, rotas);
  return new Map([...found].map(([id, rota]) => [id, rota.onCallAt(at)]));
}
