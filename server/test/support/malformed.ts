import type { Operation } from '@fieldwatch/contract';
import fc from 'fast-check';
import type { Call } from './call.ts';
import { codePoint } from './code-point.ts';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

const UNKNOWN_ID = '018f0000-0000-7000-8000-00000000dead';

/** Text that upsets careless code. */
const nasty = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    "'; drop table users; --",
    '%',
    '../../etc/passwd',
    '{{7*7}}',
    '__proto__',
    'null',
    '1e999',
    '😀'.repeat(200),
    'x'.repeat(5_000),
  ),
  fc.string({ unit: codePoint, maxLength: 50 }),
);

/** A value of a type that no field of the interface has at this place. */
const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  nasty.map((text) => ({ [text]: text })),
  fc.constant([[[[]]]]),
  fc.double({ noNaN: true }).map((value) => [value, null]),
  fc.constant({ $ne: null }),
);

/** JSON as it goes over the wire; lone surrogates travel as escapes. */
function json(value: unknown): string {
  return JSON.stringify(value);
}

function deep(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

/** Bodies that are certainly bad for the schema. */
function badBody(schema: ObjectSchema, isOptional: boolean): fc.Arbitrary<Call> {
  const fields = Object.keys(schema.properties ?? {});
  const some = fc.dictionary(fc.constantFrom(...fields, 'other'), wrongValue);
  const options: fc.Arbitrary<Call>[] = [
    fc.tuple(some, nasty).map(([body, key]) => ({ body: json({ ...body, [`x${key}`]: 1 }) })),
    fc
      .constantFrom('[]', '5', '"text"', 'true', ...(isOptional ? [] : ['', 'null']))
      .map((body) => ({ body })),
    fc
      .constantFrom('{', '{"a":}', '{"__proto__":{}}', 'NaN', '{"a":1}}', deep(50_000))
      .map((body) => ({ body })),
    nasty.map((text) => ({ body: `${text}{` })),
    fc
      .constantFrom(
        'text/plain',
        'application/xml',
        'multipart/form-data',
        'application/json; charset=utf-16',
      )
      .map((type) => ({ body: '{}x', headers: { 'content-type': type } })),
  ];
  if (fields.length > 0) {
    options.push(
      fc
        .tuple(fc.constantFrom(...fields), wrongValue)
        .map(([field, value]) => ({ body: json({ [field]: value }) })),
    );
  }
  const demanded = (schema.required ?? []).filter(
    (field) => !('default' in (schema.properties?.[field] ?? {})),
  );
  if (demanded.length > 0) {
    options.push(fc.constant({ body: '{}' }));
  }
  return fc.oneof(...options);
}

/** Queries that are certainly bad for the schema. */
function badQuery(schema: ObjectSchema): fc.Arbitrary<Call> {
  const fields = Object.keys(schema.properties ?? {});
  const encoded = nasty.map((text) => encodeURIComponent(text.toWellFormed()));
  const options: fc.Arbitrary<Call>[] = [
    encoded.map((text) => ({ query: `x${text}=1` })),
    fc
      .constantFrom('a=%', '%ff=1', '=', '&&==', 'search[', '[]=1')
      .map((query) => ({ query: `${query}&z=1` })),
  ];
  if (fields.includes('take')) {
    options.push(
      fc
        .constantFrom('0', '1001', '-1', '1.5', 'x', '', '1e3', '99999999999999999999')
        .map((take) => ({ query: `take=${take}&skip=-1` })),
      fc.constant({ query: 'take=1&take=2' }),
    );
  }
  return fc.oneof(...options);
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom(
  {},
  { 'if-match': '"' },
  { 'if-match': 'W/"1-x", *' },
  { 'if-none-match': ',,,' },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'x-forwarded-for': '999.999.999.999' },
  { accept: 'application/nonsense' },
  { 'content-encoding': 'gzip' },
);

/** Requests to an operation, each of them wrong in at least one way. */
export function malformed(operation: Operation): fc.Arbitrary<Call> {
  const query = badQuery(operation.query ?? {});
  const bad = operation.body
    ? fc.oneof(badBody(operation.body as ObjectSchema, operation.bodyOptional === true), query)
    : query;
  const id = fc.oneof(
    nasty.map((text) => text.toWellFormed().slice(0, 200) || 'x'),
    fc.constant(UNKNOWN_ID),
  );
  return fc.tuple(bad, oddHeaders, id).map(([call, headers, text]) => ({
    ...call,
    headers: { ...headers, ...call.headers },
    params: Object.fromEntries(
      [...operation.path.matchAll(/\{(\w+)\}/g)]
        .map(([, name]) => name as string)
        .filter((name) => name !== 'organizationId')
        .map((name) => [name, text]),
    ),
  }));
}
