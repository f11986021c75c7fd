import { createRemoteJWKSet, customFetch } from 'jose';
import * as client from 'openid-client';
import { type Clock, createAvailabilityLog, Failure, type Log } from '../../runtime/index.ts';
import {
  type CoolDown,
  createCoolDown,
  fetchLimited,
  guardedFetch,
  isSafeUrl,
} from './limited-fetch.ts';

/** The metadata and keys that an OpenID Connect issuer publishes. */
export interface Discovered {
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly metadata: client.ServerMetadata;
}

/** Discovers the issuer, and caches it for a while. Rejects with `ISSUER_UNAVAILABLE` on failure. */
export type Discovery = () => Promise<Discovered>;

export const TIMEOUT_MS = 5_000;
const COOL_DOWN_MS = 10_000;
const KEYS_TTL_MS = 10 * 60_000;
const DISCOVERY_TTL_MS = 60 * 60_000;

export function createDiscovery(issuer: string, clock: Clock, log: Log): Discovery {
  const availability = createAvailabilityLog(log, 'the OpenID Connect issuer');
  const coolDown = createCoolDown(clock, COOL_DOWN_MS);
  let known: { readonly at: number; readonly discovered: Promise<Discovered> } | null = null;
  return async () => {
    const now = clock.now();
    if (!known || now - known.at >= DISCOVERY_TTL_MS) {
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
  // Discovery needs no client; requests to the token endpoint have a configuration of their own.
  const configuration = await client.discovery(new URL(issuer), 'none', {}, client.None(), {
    timeout: TIMEOUT_MS / 1000,
    // The guarded fetch decides: it allows http on this machine alone.
    execute: [client.allowInsecureRequests],
    [client.customFetch]: guardedFetch,
  });
  const metadata = configuration.serverMetadata();
  const keys = createRemoteJWKSet(new URL(keysUrl(metadata, issuer)), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOL_DOWN_MS,
    cacheMaxAge: KEYS_TTL_MS,
    [customFetch]: (url, { signal }) => coolDown(() => fetchLimited(url, signal)),
  });
  return { keys, metadata };
}

/** The address of the keys, from a discovery document that names exactly this issuer. */
export function keysUrl(document: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = Object(document) as Record<string, unknown>;
  if (named !== issuer) throw new Error('the discovery document names another issuer');
  if (typeof url !== 'string' || !isSafeUrl(url)) throw new Error('jwks_uri is not a https URL');
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
