import { ConnectionError, FieldwatchError } from '@fieldwatch/client';
import { NotOursError } from './provision/index.ts';
import { PublishError } from './publish/index.ts';

/** One sentence for an expected failure. Any other error is a bug and is shown with its stack. */
export function reasonOf(error: unknown, url: string): string {
  if (error instanceof ConnectionError) return `The server does not answer at ${url}.`;
  if (error instanceof FieldwatchError) {
    const fields = error.errors.map(({ path, message }) => ` ${path} ${message}.`).join('');
    return `The server refused (${error.code}): ${error.detail}${fields}`;
  }
  if (error instanceof NotOursError || error instanceof PublishError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
