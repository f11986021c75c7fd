import { randomBytes } from 'node:crypto';

/** Request ids that are unique across restarts, and cheaper than a UUID for each request. */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
