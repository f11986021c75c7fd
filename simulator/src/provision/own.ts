import type { Client } from '@fieldwatch/client';

/** The organization and the client that create the records. */
export interface Target {
  readonly client: Client;
  readonly organizationId: string;
}

/** Part of every description, so that no other record is mistaken for one of the simulator. */
export const MARK = 'Simulated by npm run simulate.';

/** A record with a name of the fleet exists that the simulator did not create. */
export class NotOursError extends Error {
  override readonly name = 'NotOursError';
}

interface Named {
  readonly name: string;
  readonly description: string | null;
}

type Page<T> = (query: {
  readonly search: string;
  readonly skip: number;
  readonly take: number;
}) => Promise<{ readonly count: number; readonly items: readonly T[] }>;

const TAKE = 1_000;

/** All of a list, page by page. */
export async function everything<T>(page: Page<T>, search = ''): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const next = await page({ search, skip: items.length, take: TAKE });
    items.push(...next.items);
    if (next.items.length < TAKE || items.length >= next.count) return items;
  }
}

/** The records of one kind that earlier runs created, by name. */
export async function ownByName<T extends Named>(
  kind: string,
  names: ReadonlySet<string>,
  page: Page<T>,
): Promise<Map<string, T>> {
  const own = new Map<string, T>();
  for (const each of await everything(page)) {
    if (!names.has(each.name)) continue;
    if (!each.description?.includes(MARK)) {
      throw new NotOursError(
        `There is a ${kind} named "${each.name}" that the simulator did not make. Use another organization, or rename it.`,
      );
    }
    own.set(each.name, each);
  }
  return own;
}
