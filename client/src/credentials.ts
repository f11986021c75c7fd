import type { Authorizer } from './authorizer.ts';
import type { Exchange } from './exchange.ts';
import { createSession } from './session.ts';

/** How the client shows who it is. */
export type Credentials =
  | { readonly apiKeyId: string; readonly apiKeySecret: string }
  | { readonly accessToken: string }
  | { readonly email: string; readonly password: string }
  /** For who keeps tokens in a place of its own, as a browser does. */
  | { readonly authorizer: Authorizer };

/** Base64 of the text's UTF-8 bytes, in browsers as in Node. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function fixed(header: string | undefined): Authorizer {
  let shown = header;
  return {
    header: async () => shown,
    renew: async () => undefined,
    end: async () => {
      shown = undefined;
    },
  };
}

export function createAuthorizer(
  credentials: Credentials | undefined,
  exchange: Exchange,
): Authorizer {
  if (credentials === undefined) return fixed(undefined);
  if ('authorizer' in credentials) return credentials.authorizer;
  if ('accessToken' in credentials) return fixed(`Bearer ${credentials.accessToken}`);
  if ('apiKeyId' in credentials) {
    return fixed(`Basic ${base64(`${credentials.apiKeyId}:${credentials.apiKeySecret}`)}`);
  }
  return createSession(credentials, exchange);
}
