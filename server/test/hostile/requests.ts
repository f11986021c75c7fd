import type { Random } from '../support/random.ts';
import type { DescribedOperation, Resolve } from './openapi.ts';
import { hostileValue, type ValueSource, valueFor } from './schema-values.ts';

export interface HostileRequest {
  readonly operation: DescribedOperation;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

const MAX_IDS_PER_COLLECTION = 200;
const MAX_ENCODED_LENGTH = 300;

/** Identifiers that answers carried, by the collection in whose paths they stand. */
export class KnownIds {
  readonly #ids = new Map<string, string[]>();
  readonly #random: Random;
  readonly #protectedIds: ReadonlySet<string>;

  constructor(random: Random, protectedIds: Iterable<string>) {
    this.#random = random;
    this.#protectedIds = new Set(protectedIds);
  }

  learn(collection: string, body: unknown): void {
    const { id, items } = (body ?? {}) as { id?: unknown; items?: readonly { id?: unknown }[] };
    const found = [id, ...(Array.isArray(items) ? items.map((item) => item?.id) : [])];
    const ids = this.#ids.get(collection) ?? [];
    this.#ids.set(collection, ids);
    for (const each of found) {
      if (typeof each !== 'string' || this.#protectedIds.has(each)) continue;
      if (ids.length < MAX_IDS_PER_COLLECTION) ids.push(each);
      else ids[this.#random.below(ids.length)] = each;
    }
  }

  of(collection: string): string | null {
    const ids = this.#ids.get(collection) ?? [];
    return ids.length > 0 ? this.#random.pick(ids) : null;
  }

  any(): string | null {
    const collections = [...this.#ids.keys()];
    return collections.length > 0 ? this.of(this.#random.pick(collections)) : null;
  }
}

/** The segment in front of each parameter of a path: `/devices/{deviceId}` stands in `devices`. */
function collectionOf(path: string, parameter: string): string {
  const segments = path.split('/');
  return segments[segments.indexOf(`{${parameter}}`) - 1] ?? '';
}

/** The collection that an operation's answer belongs to. */
export function answeredCollection(path: string, collections: ReadonlySet<string>): string {
  return path.split('/').findLast((segment) => collections.has(segment)) ?? '';
}

export function collectionsOf(operations: readonly DescribedOperation[]): ReadonlySet<string> {
  return new Set(
    operations.flatMap(({ path, parameters }) =>
      parameters.filter((one) => one.in === 'path').map(({ name }) => collectionOf(path, name)),
    ),
  );
}

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'if-match': '"' },
  { 'if-match': 'W/"1-x", *' },
  { 'if-none-match': ',,,' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'x-forwarded-for': '999.999.999.999, ::1' },
  { accept: 'application/nonsense;q=x' },
  { 'content-encoding': 'gzip' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { expect: '100-continue' },
  { cookie: '='.repeat(2_000) },
];

export interface RequestSource {
  readonly random: Random;
  readonly resolve: Resolve;
  readonly ids: KnownIds;
  readonly organizationId: string;
}

/** A request to the operation: a valid one, one at a limit, or one with something wrong in it. */
export function requestFor(source: RequestSource, operation: DescribedOperation): HostileRequest {
  const { random } = source;
  const isValid = random.below(2) === 0;
  const values: ValueSource = { ...source, isValid, knownId: () => source.ids.any() };
  const query = operation.parameters
    .filter((one) => one.in === 'query' && (one.required || random.below(100) < 30))
    .flatMap(({ name, schema }) => {
      const value = valueFor(values, schema);
      return (Array.isArray(value) ? value : [value]).map((each) => `${name}=${encode(each)}`);
    });
  if (random.below(100) < 3) query.push(random.pick(['%', 'a=%ff', '[]=1', '=', 'x[a][b]=1']));
  const body = operation.body === null ? null : bodyFor(values, operation);
  return {
    operation,
    method: operation.method,
    path: `${pathFor(source, operation)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(random.below(100) < 6 ? random.pick(ODD_HEADERS) : {}),
    },
    body,
  };
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed().slice(0, MAX_ENCODED_LENGTH).toWellFormed());
}

function pathFor({ random, ids, organizationId }: RequestSource, operation: DescribedOperation) {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'organizationId' && random.below(100) < 97) return organizationId;
    const known = random.below(100) < 80 ? ids.of(collectionOf(operation.path, name)) : null;
    const text = known ?? ids.any() ?? 'x';
    return random.below(100) < 95 ? text : encode(hostileValue(random)) || 'x';
  });
}

/** The body as bytes, sometimes damaged after it was composed. */
function bodyFor(values: ValueSource, { body }: DescribedOperation): Buffer {
  const { random } = values;
  const text = JSON.stringify(body === null ? {} : valueFor(values, body)) ?? '';
  switch (values.isValid ? -1 : random.below(25)) {
    case 0:
      return Buffer.from(text.slice(0, random.below(text.length + 1)));
    case 1:
      return Buffer.from(`${'['.repeat(20_000)}${text}`);
    case 2:
      return Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]);
    case 3:
      return Buffer.from(text.replace('{', '{"__proto__":{"a":1},"a":1,"a":2,'));
    case 4:
      return Buffer.from(JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ index }))));
    case 5:
      return Buffer.from(
        `{${Array.from({ length: 3_000 }, (_, n) => `"k${n}":"\\u0000"`).join()}}`,
      );
    case 6:
      return Buffer.alloc(0);
    default:
      return Buffer.from(text);
  }
}
