/**
 * Every way in which a request can fail. The list is closed: a reply carries one of these codes,
 * and `docs/errors.md` explains each one.
 */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, title: 'The request is not valid' },
  MALFORMED_BODY: { status: 400, title: 'The body is not valid JSON' },
  UNAUTHENTICATED: { status: 401, title: 'Credentials are missing or invalid' },
  PERMISSION_MISSING: { status: 403, title: 'The credentials lack a permission' },
  USER_REQUIRED: { status: 403, title: 'Only a signed-in user may do this' },
  ORGANIZATION_FORBIDDEN: {
    status: 403,
    title: 'The credentials have no access to this organization',
  },
  NOT_FOUND: { status: 404, title: 'There is no such resource' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not allowed here' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive' },
  CONFLICT: { status: 409, title: 'The request conflicts with the stored state' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, title: 'The idempotency key belongs to another request' },
  PRECONDITION_FAILED: { status: 412, title: 'The record has changed' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The media type is not supported' },
  TOO_MANY_REQUESTS: { status: 429, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The request headers are too large' },
  INTERNAL: { status: 500, title: 'The request failed unexpectedly' },
  OVERLOADED: { status: 503, title: 'The service is overloaded' },
  STORAGE_UNAVAILABLE: { status: 503, title: 'Storage is unavailable' },
  ISSUER_UNAVAILABLE: { status: 503, title: 'The OpenID Connect issuer is unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
