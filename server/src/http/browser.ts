import type { IncomingHttpHeaders } from 'node:http';

/** The browser that sent the request, as far as its headers show. */
export interface Browser {
  /** Whether a page of this server sent the request. */
  readonly isOwnPage: boolean;
  /** Whether that page was reached by https. */
  readonly isEncrypted: boolean;
  /** A cookie; null when there is none, and for requests that are not from a page of this server. */
  cookie(name: string): string | null;
}

/** A cookie that no script can read and that goes with requests of our own pages alone. */
export interface SetCookie {
  readonly name: string;
  /** Of characters that need no quoting. */
  readonly value: string;
  /** 0 deletes it. */
  readonly maxAgeSeconds: number;
  /** The cookie goes with requests below this path. */
  readonly path: string;
  readonly isEncrypted: boolean;
}

export function browserOf(headers: IncomingHttpHeaders): Browser {
  const isOwnPage = isSameOrigin(headers);
  return {
    isOwnPage,
    isEncrypted: isOwnPage && (headers.origin?.startsWith('https:') ?? false),
    cookie: (name) => (isOwnPage ? cookieIn(headers.cookie ?? '', name) : null),
  };
}

/**
 * SameSite keeps cookies from requests of other sites. This keeps them also from other origins of
 * the same site, such as another port of this host. Browsers send `Sec-Fetch-Site` by https and on
 * loopback only; elsewhere the origin is compared with the address that was called.
 */
function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (site !== undefined) return site === 'same-origin';
  return new URL(origin).host === host?.toLowerCase();
}

function cookieIn(header: string, name: string): string | null {
  const found = header.split(';').find((pair) => pair.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) || null;
}

export function setCookieText({
  name,
  value,
  maxAgeSeconds,
  path,
  isEncrypted,
}: SetCookie): string {
  const attributes = [
    `${name}=${value}`,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isEncrypted ? ['Secure'] : []),
  ];
  return attributes.join('; ');
}
