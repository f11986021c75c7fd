import type { Queries, QueryOptions, Statement, Transaction } from './storage.ts';

type Scalar = string | number | boolean | Uint8Array | null;

/** What a statement may have as a parameter. */
export type SqlValue = Scalar | readonly Scalar[];

/**
 * A fragment of SQL with its values. Fragments nest. Only this module makes them, so the text of a
 * statement comes from the sources alone: a value is always a parameter, whatever it holds.
 */
export class Sql {
  /** One more than there are values: each value stands between two texts. */
  readonly #texts: readonly string[];
  readonly #values: readonly (SqlValue | Sql)[];

  constructor(texts: readonly string[], values: readonly (SqlValue | Sql)[]) {
    this.#texts = texts;
    this.#values = values;
  }

  /** The text of the fragment; appends its values to `params`, and numbers them as they come. */
  compile(params: SqlValue[]): string {
    let text = this.#texts[0] ?? '';
    for (const [index, value] of this.#values.entries()) {
      text += value instanceof Sql ? value.compile(params) : `$${params.push(value)}`;
      text += this.#texts[index + 1] ?? '';
    }
    return text;
  }
}

export function sql(texts: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  return new Sql(texts, values);
}

/** A name of the schema, quoted. */
sql.identifier = (name: string): Sql => new Sql([`"${name.replaceAll('"', '""')}"`], []);

/** A number in the text itself, for the rare place where the planner has to know it. */
sql.integer = (value: number): Sql => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`);
  return new Sql([String(value)], []);
};

const COMMA = sql`, `;

sql.join = (fragments: readonly Sql[], separator: Sql = COMMA): Sql => {
  const parts = fragments.flatMap((each, index) => (index === 0 ? [each] : [separator, each]));
  return new Sql(new Array<string>(parts.length + 1).fill(''), parts);
};

export function statementOf(fragment: Sql): Statement {
  const params: SqlValue[] = [];
  return { sql: fragment.compile(params), params };
}

export function run<Row extends object>(
  db: Queries,
  fragment: Sql,
  options?: QueryOptions,
): Promise<Row[]> {
  const { sql: text, params } = statementOf(fragment);
  return db.query<Row>(text, params, options);
}

/** Runs the statements in order, without waiting for each result (pipelining). */
export async function runAll(tx: Transaction, statements: Iterable<Statement>): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for (const { sql: text, params } of statements) {
    const answer = tx.query(text, params);
    // The iterable of statements may fail before this promise is awaited.
    answer.catch(() => undefined);
    answers.push(answer);
  }
  await Promise.all(answers);
}
