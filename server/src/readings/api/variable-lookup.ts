import { BoundedMap, isUuid } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { findVariables, type HistoryVariable } from './store.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Looks up the Variables of queries. Those of earlier queries are remembered, so that the history is
 * read while PostgreSQL looks them up again. What was read is used only if the Variables are the same.
 */
export class VariableLookup {
  readonly #db: Queries;
  readonly #remembered = new BoundedMap<string, HistoryVariable>(MAX_REMEMBERED);

  constructor(db: Queries) {
    this.#db = db;
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
    const keys = ids.map((id) => `${organizationId} ${id}`.toLowerCase());
    const remembered = keys.flatMap((key) => this.#remembered.get(key) ?? []);
    const finding = this.find(organizationId, ids);
    const early = remembered.length === ids.length ? read(remembered) : undefined;
    // A failure is reported to the caller that awaits the result below, if it is used.
    early?.catch(() => undefined);
    const found = await finding;
    if (early && isSame(found, remembered)) return await early;
    for (const variable of found) {
      this.#remembered.set(`${organizationId} ${variable.id}`.toLowerCase(), variable);
    }
    return await read(found);
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
