import type { ResponseCache } from '../../http/index.ts';
import { BoundedMap, isUuid } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { findVariables, type HistoryVariable } from './store.ts';

const MAX_REMEMBERED = 10_000;

/** A Variable, and whether it is certain that it has not changed, as for a cached response. */
interface Remembered {
  readonly variable: HistoryVariable;
  readonly isValid: () => boolean;
}

/**
 * Looks up the Variables of queries. Those of earlier queries are remembered. Once it is not certain
 * any more that they are unchanged, the history is read while PostgreSQL looks them up again, and what
 * was read is used only if they are the same.
 */
export class VariableLookup {
  readonly #db: Queries;
  readonly #cache: Pick<ResponseCache, 'begin'>;
  readonly #remembered = new BoundedMap<string, Remembered>(MAX_REMEMBERED);

  constructor(db: Queries, cache: Pick<ResponseCache, 'begin'>) {
    this.#db = db;
    this.#cache = cache;
  }

  /** The Variables of the organization among these, in the order of the request. */
  async find(organizationId: string, ids: readonly string[]): Promise<HistoryVariable[]> {
    const found = await findVariables(this.#db, organizationId, ids.filter(isUuid));
    const byId = new Map(found.map((variable) => [variable.id, variable]));
    return ids.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
  }

  /** The result of reading the history of Variables, which may be read twice. */
  async read<T>(
    organizationId: string,
    ids: readonly string[],
    read: (variables: readonly HistoryVariable[]) => Promise<T>,
  ): Promise<T> {
    const keyOf = (id: string) => `${organizationId} ${id}`.toLowerCase();
    const remembered = ids.flatMap((id) => this.#remembered.get(keyOf(id)) ?? []);
    const variables = remembered.map(({ variable }) => variable);
    const isKnown = remembered.length === ids.length;
    if (isKnown && remembered.every(({ isValid }) => isValid())) return await read(variables);
    const isValid = this.#cache.begin(organizationId.toLowerCase());
    const finding = this.find(organizationId, ids);
    const early = isKnown ? read(variables) : undefined;
    // A failure is reported to the caller that awaits the result below, if it is used.
    early?.catch(() => undefined);
    const found = await finding;
    for (const variable of found) this.#remembered.set(keyOf(variable.id), { variable, isValid });
    return early && isSame(found, variables) ? await early : await read(found);
  }
}

function isSame(
  found: readonly HistoryVariable[],
  remembered: readonly HistoryVariable[],
): boolean {
  return (
    found.length === remembered.length &&
    found.every((variable, index) => {
      const other = remembered[index] as HistoryVariable;
      return (
        variable.id === other.id &&
        variable.seriesId === other.seriesId &&
        variable.deviceId === other.deviceId &&
        variable.type === other.type
      );
    })
  );
}
