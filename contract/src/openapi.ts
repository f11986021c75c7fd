import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from './errors.ts';
import { failuresOf, isConditionalRead, isConditionalWrite, isCreate } from './failures.ts';
import type {
  Method,
  OpenApiDocument,
  OperationItem,
  Parameter,
  PathItem,
  Response,
} from './openapi-document.ts';
import {
  failureName,
  failureResponse,
  HEADERS,
  headersNamed,
  INFO,
  PARAMETERS,
  parameterNamed,
  RATE_LIMIT_HEADERS,
  SECURITY_SCHEMES,
  securityOf,
  TAG_DESCRIPTIONS,
} from './openapi-parts.ts';
import { hasDefault, jsonSchema, namedSchemas } from './openapi-schema.ts';
import { COLUMNS_MEDIA_TYPE, type Operation, paramNames } from './operation.ts';
import { operations } from './operations.ts';
import { Id } from './schema.ts';

export type { OpenApiDocument } from './openapi-document.ts';

type Parameters = NonNullable<OperationItem['parameters']>;

/** Codes by status, in the order of the codes. */
function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function pathParameters({ path, params }: Operation): Parameters {
  return paramNames(path).map((name) =>
    name === 'organizationId'
      ? parameterNamed(name)
      : { name, in: 'path', required: true, schema: jsonSchema(params?.[name] ?? Id, 'written') },
  );
}

function queryParameter(name: string, schema: TSchema, required: boolean): Parameter {
  const { description, ...rest } = jsonSchema(schema, 'written');
  const isArray = rest.type === 'array';
  return {
    name: isArray ? `${name}[]` : name,
    in: 'query',
    required,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isArray ? { style: 'form', explode: true } : {}),
    schema: rest,
  };
}

function queryParameters({ query }: Operation): Parameters {
  if (!query) return [];
  const { required = [] } = query as { required?: readonly string[] };
  return Object.entries(query.properties).map(([name, schema]) =>
    queryParameter(name, schema, required.includes(name) && !hasDefault(schema)),
  );
}

function headerParameters(operation: Operation): Parameters {
  if (isCreate(operation)) return [parameterNamed('Idempotency-Key')];
  if (isConditionalWrite(operation)) return [parameterNamed('If-Match')];
  if (isConditionalRead(operation)) return [parameterNamed('If-None-Match')];
  if (operation.reply.events) return [parameterNamed('Last-Event-ID')];
  return [];
}

function successResponse(operation: Operation): Response {
  const { reply } = operation;
  const hasTag = reply.tagged === true && reply.body !== undefined;
  return {
    description: reply.description,
    headers: headersNamed([
      'X-Request-Id',
      ...(hasTag ? (['ETag'] as const) : []),
      ...(reply.holdsSecrets ? (['Cache-Control'] as const) : []),
      ...(isCreate(operation) ? (['Location', 'Idempotency-Replayed'] as const) : []),
      ...RATE_LIMIT_HEADERS,
    ]),
    ...(reply.body
      ? {
          content: {
            [reply.mediaType ?? 'application/json']: { schema: jsonSchema(reply.body, 'answered') },
            ...(reply.csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
            ...(reply.parquet ? { 'application/vnd.apache.parquet': { schema: {} } } : {}),
            ...(reply.columns
              ? { [COLUMNS_MEDIA_TYPE]: { schema: jsonSchema(reply.columns, 'answered') } }
              : {}),
          },
        }
      : {}),
  };
}

/** What the data of each event is, by the name of the event. */
function eventSchemas(events: NonNullable<Operation['reply']['events']>) {
  return Object.fromEntries(
    Object.entries(events).map(([name, schema]) => [name, jsonSchema(schema, 'answered')]),
  );
}

function responses(operation: Operation): OperationItem['responses'] {
  const all: OperationItem['responses'] = {
    [operation.reply.status]: successResponse(operation),
    default: { $ref: '#/components/responses/OtherFailure' },
  };
  if (isConditionalRead(operation)) all['304'] = { $ref: '#/components/responses/NotModified' };
  for (const [status, codes] of byStatus(failuresOf(operation))) {
    all[status] = { $ref: `#/components/responses/${failureName(codes)}` };
  }
  return all;
}

function operationItem(operation: Operation): OperationItem {
  const { access, body } = operation;
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...headerParameters(operation),
  ];
  const permission = 'permission' in access ? access.permission : null;
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.tag],
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: {
              [operation.bodyMediaType ?? 'application/json']: {
                schema: jsonSchema(operation.documentedBody ?? body, 'written'),
              },
            },
          },
        }
      : {}),
    responses: responses(operation),
    ...(operation.reply.events ? { 'x-events': eventSchemas(operation.reply.events) } : {}),
    'x-access': access.kind,
    ...(permission === null ? {} : { 'x-permission': permission }),
    ...(operation.stage ? { 'x-workflow-stage': operation.stage } : {}),
  };
}

function paths(all: readonly Operation[]): Record<string, PathItem> {
  const items: Record<string, PathItem> = {};
  for (const operation of all) {
    const method = operation.method.toLowerCase() as Method;
    items[operation.path] = { ...items[operation.path], [method]: operationItem(operation) };
  }
  return items;
}

function sharedResponses(all: readonly Operation[]): Record<string, Response> {
  const shared: Record<string, Response> = {
    NotModified: {
      description: 'The record still has the tag in `If-None-Match`',
      headers: headersNamed(['X-Request-Id', 'ETag']),
    },
    OtherFailure: {
      ...failureResponse(500, []),
      description: 'Any other failure; its `code` says which',
    },
  };
  for (const operation of all) {
    for (const [status, codes] of byStatus(failuresOf(operation))) {
      shared[failureName(codes)] = failureResponse(status, codes);
    }
  }
  return shared;
}

/** The whole interface as OpenAPI 3.1: plain JSON, the same at every call. */
export function openApiDocument(): OpenApiDocument {
  const all: readonly Operation[] = Object.values(operations);
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: '/' }],
    tags: Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
    paths: paths(all),
    components: {
      schemas: namedSchemas(),
      responses: sharedResponses(all),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
