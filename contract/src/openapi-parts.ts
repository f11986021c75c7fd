import { ERRORS, type ErrorCode } from './errors.ts';
import type {
  Header,
  OpenApiDocument,
  Parameter,
  Response,
  SecurityScheme,
} from './openapi-document.ts';
import { jsonSchema } from './openapi-schema.ts';
import type { Access, Tag } from './operation.ts';
import { Problem } from './problem.ts';
import { Id } from './schema.ts';

export const TAG_DESCRIPTIONS: Readonly<Record<Tag, string>> = {
  Devices: 'Hardware and data sources that report readings.',
  Variables: 'The data points of Devices, their folders and classifications.',
  Readings: 'What Devices report, what became of it, and how to read it back.',
  Alarms: 'What watches a Variable and raises events.',
  Assets: 'Physical equipment, and the Variables that describe it.',
  Dashboards: 'Boards of widgets: drafts, published versions and their history.',
  Locations: 'Where Devices and Assets are.',
  'Alarm groups': 'Who is notified of which alarms.',
  Paging: 'Who is on call, how people are contacted, and who is paged about alarms.',
  Maintenance: 'Times in which notifications about planned work are held back.',
  Webhooks: 'Addresses that are notified of events.',
  'Web push': 'Notifications in the browsers of users.',
  'Phone channels': 'Requests by which SMS are sent and telephones called.',
  'Home Assistant': 'Devices as entities of Home Assistant, by MQTT discovery at its broker.',
  LoRaWAN: 'Network servers of LoRaWAN, their sensors, and the codecs of payloads.',
  'Sign-in': 'Sessions of people: sign in, refresh, sign out, invitations and passwords.',
  Organization: 'The organization that owns everything else.',
  Users: 'Members of the organization and their roles.',
  'API keys': 'Credentials for programs, with chosen permissions.',
  'Audit log': 'Who changed what, when and from where.',
  Service: 'Probes and metrics of the process itself.',
};

export const SECURITY_SCHEMES: Readonly<
  Record<'apiKey' | 'userToken' | 'shareLink', SecurityScheme>
> = {
  apiKey: {
    type: 'http',
    scheme: 'basic',
    description:
      'An API key: the key id as user name, its secret as password. Where a Device may write readings itself, its id and its password.',
  },
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a signed-in user.',
  },
  shareLink: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret of a share link, which shows one Dashboard and nothing else.',
  },
};

export function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'anyone') return [];
  if (access.kind === 'user') return [{ userToken: [] }];
  if (access.kind === 'share') return [{ shareLink: [] }];
  return [{ apiKey: [] }, { userToken: [] }];
}

const wholeNumber = { type: 'integer', minimum: 0 };

export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request in the log and in problem records.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The strong tag of the record, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: '`no-store`: the body may contain secrets.',
    schema: { type: 'string' },
  },
  Location: {
    description: 'The path of the created record.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored reply to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'RateLimit-Limit': {
    description: 'Requests that the credential may make per window.',
    schema: wholeNumber,
  },
  'RateLimit-Remaining': {
    description: 'Requests left in this window.',
    schema: wholeNumber,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the window ends.',
    schema: wholeNumber,
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: wholeNumber,
  },
  'WWW-Authenticate': {
    description: 'The accepted schemes.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof HEADERS;

export const RATE_LIMIT_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies readonly HeaderName[];

export function headersNamed(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const PARAMETERS = {
  organizationId: {
    name: 'organizationId',
    in: 'path',
    required: true,
    schema: jsonSchema(Id, 'written'),
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'For the same key and body within 24 hours the server returns the first reply; another body is refused.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Change the record only if it still has this tag.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Answer 304 without a body if the record still has this tag.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The `id` of the last received event: the events that followed it are sent first.',
    schema: { type: 'string', maxLength: 100 },
  },
} as const satisfies Record<string, Parameter>;

export function parameterNamed(name: keyof typeof PARAMETERS): { $ref: string } {
  return { $ref: `#/components/parameters/${name}` };
}

const HEADERS_OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...RATE_LIMIT_HEADERS],
  503: ['Retry-After'],
};

/** The shared name of a failure reply: `OverloadedOrStorageUnavailable`. */
export function failureName(codes: readonly ErrorCode[]): string {
  const words = codes.map((code) =>
    code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  return words.join('Or');
}

/** The reply of failures that share a status. */
export function failureResponse(status: number, codes: readonly ErrorCode[]): Response {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('. '),
    headers: headersNamed(['X-Request-Id', ...(HEADERS_OF_STATUS[status] ?? [])]),
    content: { 'application/problem+json': { schema: jsonSchema(Problem, 'answered') } },
  };
}

export const INFO: OpenApiDocument['info'] = {
  title: 'Fieldwatch',
  version: '1',
  description:
    'Device monitoring: readings over MQTT and HTTP, history, alarms, notifications, assets and dashboards. Failures are problem records with a code from a closed list.',
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
};
