import { isUtf8 } from 'node:buffer';
import { Failure } from '../../runtime/index.ts';

/** What an `Authorization` header holds. */
export type Credentials =
  | { readonly kind: 'BASIC'; readonly keyId: string; readonly secret: string }
  | { readonly kind: 'BEARER'; readonly token: string };

const HEADER = /^([A-Za-z][A-Za-z0-9._~+-]*)[ \t]+(\S.*)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

export function unauthenticated(detail: string): Failure {
  return new Failure('UNAUTHENTICATED', detail);
}

export function credentialsIn(authorization: string | undefined): Credentials {
  const header = authorization?.trim() ?? '';
  if (header === '') throw unauthenticated('The Authorization header is missing or empty.');
  const [, scheme = '', value = ''] = HEADER.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case 'basic':
      return basic(value);
    case 'bearer':
      if (!TOKEN.test(value)) throw unauthenticated('The Bearer token is not well formed.');
      return { kind: 'BEARER', token: value };
    default:
      throw unauthenticated('The Authorization header must be "Basic …" or "Bearer …".');
  }
}

function basic(value: string): Credentials {
  const text = decoded(value);
  if (text === null) throw unauthenticated('The Basic credentials are not valid base64.');
  const colon = text.indexOf(':');
  if (colon < 0) throw unauthenticated('The Basic credentials hold no colon: <key id>:<secret>.');
  const keyId = text.slice(0, colon);
  const secret = text.slice(colon + 1);
  if (keyId === '' || secret === '') {
    throw unauthenticated('The Basic credentials lack a key id or a secret.');
  }
  return { kind: 'BASIC', keyId, secret };
}

/** White space at the end is dropped: `echo key:secret | base64` adds a newline. */
function decoded(value: string): string | null {
  if (!BASE64.test(value)) return null;
  const bytes = Buffer.from(value, 'base64');
  return isUtf8(bytes) ? bytes.toString().trimEnd() : null;
}
