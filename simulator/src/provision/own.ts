import type { Client } from '@fieldwatch/client';

/** Where and by whom things are made. */
export interface Target {
  readonly client: Client;
  readonly organizationId: string;
}

/** Written into what is made, so that nothing of anybody else's is ever taken for it. */
export const MARK = 'Simulated by npm run simulate.';

/** Something of the fleet's name is there and is not the simulator's. */
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

/** What earlier runs made of one kind, by name. */
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
