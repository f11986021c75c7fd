import { randomBytes } from 'node:crypto';

/** Names requests: unlike any other start's, and cheaper than a UUID for each. */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
