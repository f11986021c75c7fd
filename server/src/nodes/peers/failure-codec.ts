import { ERRORS, type ErrorCode, type FieldError } from '@fieldwatch/contract';
import { Failure } from '../../runtime/index.ts';

/** A failure for another node: what a client may learn of it, and nothing else. */
export function encodeFailure({ code, message, retryAfterSeconds, errors }: Failure): Buffer {
  return Buffer.from(JSON.stringify({ code, message, retryAfterSeconds, errors }));
}

/** The failure of another node. Whatever is not one becomes a failure without details. */
export function decodeFailure(bytes: Buffer): Failure {
  const { code, message, retryAfterSeconds, errors } = parsed(bytes);
  if (!isErrorCode(code) || typeof message !== 'string') return failedElsewhere();
  return new Failure(code, message, {
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
    ...(isFieldErrors(errors) && { errors }),
  });
}

/** The failure of a handler for a reason that was not expected; the log of its node has the cause. */
export function failedElsewhere(): Failure {
  return new Failure('INTERNAL', 'Another node failed unexpectedly.');
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(bytes.toString())) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

function isFieldErrors(errors: unknown): errors is FieldError[] {
  return (
    Array.isArray(errors) &&
    errors.every((each: unknown) => {
      const { path, message } = Object(each) as Partial<FieldError>;
      return typeof path === 'string' && typeof message === 'string';
    })
  );
}
