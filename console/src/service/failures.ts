import { ConnectionError, FieldwatchError } from '@fieldwatch/client';
import { strings } from '../strings/index.ts';

/** A failure as a sentence for the user. */
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

/** Whether the requested record does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof FieldwatchError && error.status === 404;
}

/** Validation errors by field path, in the form's notation: `subscriptions.0.email`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof FieldwatchError)) return {};
  return Object.fromEntries(
    error.errors.map(({ path, message }) => [
      path.replaceAll(/\[(\d+)\]/g, '.$1'),
      sentence(message),
    ]),
  );
}

/** The server's message is "must be a number"; at the field it starts a sentence. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
