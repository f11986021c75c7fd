import type { Operation } from '@fieldwatch/contract';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Of an operation that needs no credentials. */
const ANONYMOUS_BODY_LIMIT_BYTES = 16 * 1024;

export function bodyLimitOf({ bodyLimitBytes, access }: Operation): number {
  const isOpen = access.kind === 'anyone';
  return bodyLimitBytes ?? (isOpen ? ANONYMOUS_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES);
}
