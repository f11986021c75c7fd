import { type FieldError, type Operation, paramNames } from '@fieldwatch/contract';
import { invalid, isUuid, notFound } from '../runtime/index.ts';
import { isLargerThan } from './json-size.ts';
import { findUnstorable, MAX_ERRORS, mayHoldUnstorable } from './plain-text.ts';
import { type ParameterSchemas, queryPairs, readQuery } from './query.ts';
import { createValidator, MAX_EXPLAINED_VALUES, type Validate } from './validate.ts';

interface Sent {
  readonly params: Readonly<Record<string, string>>;
  /** The text behind `?`. */
  readonly query: string;
  readonly body: unknown;
  /** The body as it was sent. */
  readonly bodyText: string;
  /** It was decoded from its bytes, which shows that it is valid. */
  readonly isBodyDecoded?: boolean;
}

export interface Parsed {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Turns what was sent into what a handler takes, or fails naming every bad field. */
export type ParseInput = (sent: Sent) => Parsed;

const UNKNOWN_FIELD = 'is not a field of this request';
const FIXED_FIELD = 'cannot be changed: it is fixed or unknown';
const NO_FIELDS = { type: 'object', properties: {}, additionalProperties: false } as const;

export function createInputParser(operation: Operation): ParseInput {
  const querySchema = operation.query ?? NO_FIELDS;
  const checkQuery = createValidator(querySchema, { unknownField: '', root: 'query' });
  const checkBody = createValidator(operation.body ?? NO_FIELDS, {
    unknownField: operation.method === 'PATCH' ? FIXED_FIELD : UNKNOWN_FIELD,
    root: 'body',
  });
  const names = paramNames(operation.path);
  const bodyOptional = operation.body === undefined || operation.bodyOptional === true;
  return ({ params, query, body, bodyText, isBodyDecoded = false }) => {
    const ids = parseIds(operation, names, params);
    const queried = parseQuery(query, querySchema.properties as ParameterSchemas, checkQuery);
    const given = body === undefined && bodyOptional ? {} : body;
    // Readings come by the thousand, and their decoder limits the depth itself.
    const isSearched = operation.effect !== 'ingest' || mayHoldUnstorable(bodyText);
    const errors = isBodyDecoded
      ? queried.errors
      : [...queried.errors, ...bodyErrors(given, isSearched, checkBody)];
    const reported = new Set(errors.map(({ path }) => path));
    // Rules beyond the schema cost more, so a large value that is wrong already is not checked further.
    const isExplained = errors.length === 0 || !isLargerThan(given, MAX_EXPLAINED_VALUES);
    const own = isExplained ? operation.check?.({ query: queried.values, body: given }) : [];
    const all = errors.concat((own ?? []).filter(({ path }) => !reported.has(path)));
    if (all.length > 0) throw invalid(...all.slice(0, MAX_ERRORS));
    return { params: ids, query: queried.values, body: operation.body ? given : undefined };
  };
}

/** An id that cannot exist is unknown, not malformed. */
function parseIds(
  operation: Operation,
  names: readonly string[],
  params: Sent['params'],
): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const name of names) {
    const text = params[name] ?? '';
    const isFree = operation.params?.[name] !== undefined;
    if (isFree ? findUnstorable(text).length > 0 : !isUuid(text)) throw notFound('resource');
    ids[name] = isFree ? text : text.toLowerCase();
  }
  return ids;
}

function parseQuery(text: string, schemas: ParameterSchemas, check: Validate) {
  const pairs = queryPairs(text);
  if (!pairs) {
    return { values: {}, errors: [{ path: 'query', message: 'is not percent-encoded UTF-8' }] };
  }
  const { values, errors } = readQuery(pairs, schemas);
  return { values, errors: [...errors, ...findUnstorable(values, ''), ...check(values)] };
}

function bodyErrors(body: unknown, isSearched: boolean, check: Validate): FieldError[] {
  if (body === undefined) return [{ path: 'body', message: 'is required' }];
  const unstorable = isSearched ? findUnstorable(body) : [];
  return unstorable.length > 0 ? unstorable : check(body);
}
