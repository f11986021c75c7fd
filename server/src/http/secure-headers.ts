import type { Operation } from '@fieldwatch/contract';

/** Headers of responses for programs. */
const DATA_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
};

/** Sent over TLS only: plain HTTP on a LAN must go on working. */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/** Security headers of pages. A tile server may be in the local network, without TLS. */
function pageHeaders(tileOrigin: string | null): Readonly<Record<string, string>> {
  return {
    ...DATA_HEADERS,
    'content-security-policy': [
      "default-src 'self'",
      // Dashboards show pictures of other servers, over TLS and without a referrer.
      `img-src 'self' data: https:${tileOrigin === null ? '' : ` ${tileOrigin}`}`,
      "style-src 'self' 'unsafe-inline'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ].join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
}

const SECRET_HEADERS = { ...DATA_HEADERS, 'cache-control': 'no-store' };

/** The headers of responses, by their operation; undefined stands for a page. */
export function createHeaders(
  tileOrigin: string | null,
): (operation: Operation | undefined) => Readonly<Record<string, string>> {
  const ofPages = pageHeaders(tileOrigin);
  return (operation) => {
    const isPage = !operation || operation.reply.mediaType?.startsWith('text/html');
    if (isPage) return ofPages;
    return operation.reply.holdsSecrets ? SECRET_HEADERS : DATA_HEADERS;
  };
}
