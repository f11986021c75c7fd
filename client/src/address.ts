import { type Operation, paramNames } from '@fieldwatch/contract';

/** What an operation is called with: path parameters by name, `query` and `body`. */
export type Input = Readonly<Record<string, unknown>>;

/** A dot segment would be resolved away, and so lead to another operation. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
    throw new TypeError(`${name} must be an id`);
  }
  return encodeURIComponent(value);
}

function queryOf(query: object): string {
  return Object.entries(query)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((item) => `${name}[]=${encodeURIComponent(String(item))}`)
        : value === undefined
          ? []
          : [`${name}=${encodeURIComponent(String(value))}`],
    )
    .join('&');
}

/** The path and query of a call. */
export function addressOf({ path }: Operation, input: Input): string {
  const filled = paramNames(path).reduce(
    (text, name) => text.replace(`{${name}}`, () => segment(name, input[name])),
    path,
  );
  const query = queryOf((input.query as object | undefined) ?? {});
  return query === '' ? filled : `${filled}?${query}`;
}
