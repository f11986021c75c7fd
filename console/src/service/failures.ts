import { ConnectionError, FieldwatchError } from '@fieldwatch/client';
import { strings } from '../strings/index.ts';

/** What a failure means to a person, in a sentence. */
export function failureText(error: unknown): string {
  if (error instanceof ConnectionError) {
    return error.reason === 'TIMEOUT' ? strings.failures.timeout : strings.failures.unreachable;
  }
  if (error instanceof FieldwatchError) {
    if (error.code === 'TOO_MANY_REQUESTS') return strings.failures.rateLimited;
    if (error.code === 'ISSUER_UNAVAILABLE') return strings.failures.providerUnavailable;
    if (error.status >= 500) return strings.failures.server(error.requestId);
    return error.detail;
  }
  return strings.failures.unexpected;
}

/** Whether what was asked for is not there, or not there any more. */
export function isGone(error: unknown): boolean {
  return error instanceof FieldwatchError && error.status === 404;
}

/** Errors of fields by their path, as forms name it: `subscriptions.0.email`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof FieldwatchError)) return {};
  return Object.fromEntries(
    error.errors.map(({ path, message }) => [
      path.replaceAll(/\[(\d+)\]/g, '.$1'),
      sentence(message),
    ]),
  );
}

/** The service says "must be a number" of a field; at the field it stands alone. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
