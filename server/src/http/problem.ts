import { ERRORS, type Operation, type Problem } from '@fieldwatch/contract';
import type { FastifyError } from 'fastify';
import { Failure } from '../runtime/index.ts';
import { malformedBody } from './json-body.ts';
import { MAX_ERRORS } from './plain-text.ts';

const BASIC = 'Basic realm="fieldwatch", charset="UTF-8"';
const BEARER = 'Bearer realm="fieldwatch"';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Where a code is explained: served by the reference page. */
export function problemUri(code: string): string {
  return `/docs/errors#${code.toLowerCase().replaceAll('_', '-')}`;
}

export function problemOf(failure: Failure, requestId: string): Problem {
  return {
    type: problemUri(failure.code),
    title: ERRORS[failure.code].title,
    status: failure.status,
    detail: failure.message,
    code: failure.code,
    requestId,
    ...(failure.errors ? { errors: failure.errors.slice(0, MAX_ERRORS) } : {}),
  };
}

/**
 * The headers that a failure's status asks for. No sign-in takes Basic credentials, and a browser
 * that reads of them would ask for a password in a window of its own.
 */
export function problemHeaders(failure: Failure, operation?: Operation): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
  };
  if (failure.code === 'UNAUTHENTICATED') {
    headers['www-authenticate'] = operation?.usesCookie ? BEARER : `${BASIC}, ${BEARER}`;
  }
  if (failure.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(failure.retryAfterSeconds)));
  }
  return headers;
}

/** Failures for the errors that Fastify reports before an operation is reached. */
const FRAMEWORK_FAILURES: Readonly<Record<string, () => Failure>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Failure('BODY_TOO_LARGE', 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => malformedBody('is not as long as Content-Length says'),
  FST_ERR_BAD_URL: noSuchAddress,
  FST_ERR_MAX_PARAM_LENGTH: noSuchAddress,
};

export function noSuchAddress(): Failure {
  return new Failure('NOT_FOUND', 'There is nothing at this address.');
}

/** The one translator: anything that is not an expected failure becomes a bare 500. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = (error as Partial<FastifyError> | null)?.code ?? '';
  return (
    FRAMEWORK_FAILURES[code]?.() ??
    new Failure(
      'INTERNAL',
      'The request failed unexpectedly; the server log has details under the request id.',
      {
        cause: error,
      },
    )
  );
}
