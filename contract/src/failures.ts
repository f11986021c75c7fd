import { ERROR_CODES, type ErrorCode } from './errors.ts';
import { type Operation, paramNames } from './operation.ts';

/** A POST that makes a record; it honours `Idempotency-Key`. */
export function isCreate({ method, reply }: Operation): boolean {
  return method === 'POST' && reply.status === 201;
}

/** A GET that honours `If-None-Match`. */
export function isConditionalRead({ method, reply }: Operation): boolean {
  return method === 'GET' && reply.tagged === true;
}

/** A change of a stored record that honours `If-Match`. */
export function isConditionalWrite({ method, reply }: Operation): boolean {
  return (method === 'PATCH' || method === 'DELETE') && reply.tagged === true;
}

/** Reports how the service itself is. It needs no storage and is answered under any load. */
function isProbe({ access, tag }: Operation): boolean {
  return access.kind === 'anyone' && tag === 'Service';
}

function accessFailures({ access, path }: Operation): ErrorCode[] {
  if (access.kind === 'anyone') return [];
  if (access.kind === 'share') return ['UNAUTHENTICATED'];
  const codes: ErrorCode[] = ['UNAUTHENTICATED', 'ISSUER_UNAVAILABLE'];
  if (access.kind === 'user') codes.push('USER_REQUIRED');
  if (access.kind !== 'credential' && access.permission !== null) codes.push('PERMISSION_MISSING');
  if (paramNames(path).includes('organizationId')) codes.push('ORGANIZATION_FORBIDDEN');
  return codes;
}

function shapeFailures(operation: Operation): ErrorCode[] {
  // An unknown query parameter is refused everywhere, so no operation is without this one.
  const codes: ErrorCode[] = ['INVALID_REQUEST', 'TOO_MANY_REQUESTS'];
  if (!isProbe(operation)) codes.push('OVERLOADED', 'STORAGE_UNAVAILABLE');
  // A body is read, and may be refused, even where none is asked for.
  if (operation.method !== 'GET')
    codes.push('MALFORMED_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (paramNames(operation.path).some((name) => name !== 'organizationId')) codes.push('NOT_FOUND');
  if (isCreate(operation)) codes.push('IDEMPOTENCY_KEY_REUSED');
  if (isConditionalWrite(operation)) codes.push('PRECONDITION_FAILED');
  return codes;
}

/**
 * The error codes that an operation can answer: those that follow from its shape and those it names,
 * in the order of `ERRORS`. What befalls a request before it has an operation, or the process as a
 * whole (`METHOD_NOT_ALLOWED`, `REQUEST_TIMEOUT`, `HEADERS_TOO_LARGE`, `INTERNAL`), is not among them.
 */
export function failuresOf(operation: Operation): ErrorCode[] {
  const possible = new Set<ErrorCode>([
    ...accessFailures(operation),
    ...shapeFailures(operation),
    ...(operation.failures ?? []),
  ]);
  return ERROR_CODES.filter((code) => possible.has(code));
}
