import { createRemoteJWKSet, customFetch } from 'jose';
import { type Clock, createAvailabilityLog, Failure, type Log } from '../../runtime/index.ts';
import { type CoolDown, createCoolDown, fetchLimited, isSafeUrl } from './limited-fetch.ts';

/** What an OpenID Connect issuer publishes of itself. */
export interface Discovered {
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Asks the issuer, and remembers for a while. Rejects with `ISSUER_UNAVAILABLE` when it cannot. */
export type Discovery = () => Promise<Discovered>;

export const TIMEOUT_MS = 5_000;
const COOL_DOWN_MS = 10_000;
const KEYS_LIVE_MS = 10 * 60_000;
const DISCOVERY_LIVES_MS = 60 * 60_000;

export function createDiscovery(issuer: string, clock: Clock, log: Log): Discovery {
  const availability = createAvailabilityLog(log, 'the OpenID Connect issuer');
  const coolDown = createCoolDown(clock, COOL_DOWN_MS);
  let known: { readonly at: number; readonly discovered: Promise<Discovered> } | null = null;
  return async () => {
    const now = clock.now();
    if (!known || now - known.at >= DISCOVERY_LIVES_MS) {
      const begun = { at: now, discovered: coolDown(() => discover(issuer, coolDown)) };
      begun.discovered.then(
        () => availability.succeeded(),
        (error: unknown) => {
          availability.failed(error);
          if (known === begun) known = null;
        },
      );
      known = begun;
    }
    return known.discovered.catch((error: unknown) => {
      throw issuerUnavailable(error);
    });
  };
}

async function discover(issuer: string, coolDown: CoolDown): Promise<Discovered> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetchLimited(url, AbortSignal.timeout(TIMEOUT_MS));
  const document: unknown = await response.json();
  const keys = createRemoteJWKSet(new URL(keysUrl(document, issuer)), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOL_DOWN_MS,
    cacheMaxAge: KEYS_LIVE_MS,
    [customFetch]: (url, { signal }) => coolDown(() => fetchLimited(url, signal)),
  });
  return { keys, document: Object(document) as Record<string, unknown> };
}

/** Where the keys are, from a discovery document that is really the issuer's. */
export function keysUrl(document: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = Object(document) as Record<string, unknown>;
  if (named !== issuer) throw new Error('the discovery document names another issuer');
  if (typeof url !== 'string' || !isSafeUrl(url)) throw new Error('jwks_uri is not a https URL');
  return url;
}

/** Where something else is, by the document's own name for it. */
export function endpointOf(discovered: Discovered, name: string): string {
  const url = optionalEndpointOf(discovered, name);
  if (url === null) throw issuerUnavailable(new Error(`${name} is missing`));
  return url;
}

/** Null when the document does not name it. */
export function optionalEndpointOf({ document }: Discovered, name: string): string | null {
  const url = document[name];
  if (url === undefined) return null;
  if (typeof url !== 'string' || !isSafeUrl(url)) {
    throw issuerUnavailable(new Error(`${name} is not a https URL`));
  }
  return url;
}

export function issuerUnavailable(cause: unknown): Failure {
  return new Failure(
    'ISSUER_UNAVAILABLE',
    'The OpenID Connect issuer is unavailable at the moment.',
    {
      cause,
      retryAfterSeconds: COOL_DOWN_MS / 1000,
    },
  );
}
