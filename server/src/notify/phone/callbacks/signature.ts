import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a service signed: the address that it called, and the fields of the form. */
export interface SignedRequest {
  readonly url: string;
  readonly form: readonly (readonly [name: string, value: string])[];
}

/**
 * Whether the signature of Twilio is right: HMAC-SHA1 by the auth token over the address, followed by
 * the names and values of the form, sorted by name. Twilio leaves the port out of some addresses.
 */
export function isSignedByTwilio(
  authToken: string,
  { url, form }: SignedRequest,
  signature: string | undefined,
): boolean {
  // Anyone can sign with an empty token.
  if (authToken === '' || signature === undefined) return false;
  const fields = [...form].sort(byNameAndValue).map(([name, value]) => name + value);
  const portless = url.replace(/^(https?:\/\/[^/]*?):\d+(?=\/)/, '$1');
  return [url, portless].some((each) => {
    const digest = createHmac('sha1', authToken)
      .update(each + fields.join(''))
      .digest('base64');
    return isSame(digest, signature);
  });
}

type Field = SignedRequest['form'][number];

/** By code units, as the services sort. */
function byNameAndValue([nameA, a]: Field, [nameB, b]: Field): number {
  if (nameA !== nameB) return nameA < nameB ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

function isSame(wanted: string, given: string): boolean {
  const [a, b] = [Buffer.from(wanted), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
