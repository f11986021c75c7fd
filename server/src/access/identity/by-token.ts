import { decodeJwt } from 'jose';
import type { Caller } from '../../http/index.ts';
import type { Clock, Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { AccessTokens } from '../secrets/index.ts';
import { accountOf, boundToAnother } from './account.ts';
import { userCaller } from './callers.ts';
import type { IssuedIdentity } from './claims.ts';
import { unauthenticated } from './credentials.ts';
import type { Issuer } from './issuer.ts';
import { createLastUsed } from './last-used.ts';
import { createShortCache, FRESHNESS } from './short-cache.ts';
import { findBoundUser, findPerson, findSession, saveLastSignIn } from './store.ts';

export interface TokenIdentityDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly accessTokens: AccessTokens;
  readonly issuer: { readonly url: string; readonly tokens: Issuer } | null;
}

/** Authenticates Bearer tokens: those of this server, and those of the configured issuer. */
export interface TokenIdentity {
  callerOf(token: string): Promise<Caller>;
  invalidateSession(id: string): void;
  invalidatePerson(id: string): void;
  flush(): Promise<void>;
}

const WRONG_TOKEN = 'The access token is invalid or has expired.';

export function createTokenIdentity(deps: TokenIdentityDeps): TokenIdentity {
  const { storage, clock, log, accessTokens, issuer } = deps;
  const signIns = createLastUsed((noted) => saveLastSignIn(storage, noted), log);
  const sessions = createShortCache(clock, {
    ...FRESHNESS,
    load: (id) => findSession(storage, id),
  });
  const people = createShortCache(clock, { ...FRESHNESS, load: (id) => findPerson(storage, id) });
  const boundUsers = createShortCache(clock, {
    ...FRESHNESS,
    load: (subject) => findBoundUser(storage, { issuer: issuer?.url ?? '', subject }),
  });

  async function bySession(token: string): Promise<Caller> {
    const bearer = await accessTokens.read(token);
    if (!bearer) throw unauthenticated(WRONG_TOKEN);
    const [session, person] = await Promise.all([
      sessions.get(bearer.sessionId),
      people.get(bearer.userId),
    ]);
    const isLive = session?.userId === bearer.userId && session.expiresAt > clock.now();
    if (!isLive || !person) throw unauthenticated(WRONG_TOKEN);
    return userCaller(person, bearer.sessionId);
  }

  async function byIssuer(tokens: Issuer, token: string): Promise<Caller> {
    const bearer = await tokens.read(token);
    if (!bearer) throw unauthenticated(WRONG_TOKEN);
    const userId = (await boundUsers.get(bearer.subject)) ?? (await bind(bearer));
    const person = userId === null ? null : await people.get(userId);
    if (!person) {
      boundUsers.invalidate(bearer.subject);
      throw unauthenticated(WRONG_TOKEN);
    }
    signIns.note(person.id, bearer.signedInAt, person.lastSignInAt);
    return userCaller(person, null);
  }

  async function bind(identity: IssuedIdentity): Promise<string | null> {
    boundUsers.invalidate(identity.subject);
    const account = await accountOf(storage, identity, clock.now());
    if (account.kind === 'BOUND_TO_ANOTHER') throw boundToAnother();
    return account.kind === 'FOUND' ? account.userId : null;
  }

  return {
    callerOf: (token) =>
      issuer && issuerOf(token) === issuer.url ? byIssuer(issuer.tokens, token) : bySession(token),
    invalidateSession: sessions.invalidate,
    invalidatePerson: people.invalidate,
    flush: signIns.flush,
  };
}

/** Only to choose who verifies; nothing in it is believed yet. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
