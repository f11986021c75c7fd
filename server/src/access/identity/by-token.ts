import { decodeJwt } from 'jose';
import type { Caller } from '../../http/index.ts';
import type { Clock, Log } from '../../runtime/index.ts';
import { fold } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { AccessTokens } from '../secrets/index.ts';
import { userCaller } from './callers.ts';
import { unauthenticated } from './credentials.ts';
import type { Issuer } from './issuer.ts';
import { createLastUsed } from './last-used.ts';
import { createShortCache, FRESHNESS } from './short-cache.ts';
import { findPerson, findPersonByEmail, findSession, saveLastSignIn } from './store.ts';

export interface TokenIdentityDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly accessTokens: AccessTokens;
  readonly issuer: { readonly url: string; readonly tokens: Issuer } | null;
}

/** Tells who sent a Bearer token: one of ours, or of the configured issuer. */
export interface TokenIdentity {
  callerOf(token: string): Promise<Caller>;
  forgetSession(id: string): void;
  forgetPerson(person: { readonly id: string; readonly email: string }): void;
  settle(): Promise<void>;
}

const WRONG_TOKEN = 'The access token is not good, or no longer.';

export function createTokenIdentity(deps: TokenIdentityDeps): TokenIdentity {
  const { storage, clock, log, accessTokens, issuer } = deps;
  const signIns = createLastUsed((noted) => saveLastSignIn(storage, noted), log);
  const sessions = createShortCache(clock, {
    ...FRESHNESS,
    load: (id) => findSession(storage, id),
  });
  const people = createShortCache(clock, { ...FRESHNESS, load: (id) => findPerson(storage, id) });
  const peopleByEmail = createShortCache(clock, {
    ...FRESHNESS,
    load: (email) => findPersonByEmail(storage, email),
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
    const person = bearer && (await peopleByEmail.get(fold(bearer.email)));
    if (!person) throw unauthenticated(WRONG_TOKEN);
    signIns.note(person.id, bearer.signedInAt, person.lastSignInAt);
    return userCaller(person, null);
  }

  return {
    callerOf: (token) =>
      issuer && issuerOf(token) === issuer.url ? byIssuer(issuer.tokens, token) : bySession(token),
    forgetSession: sessions.drop,
    forgetPerson({ id, email }) {
      people.drop(id);
      peopleByEmail.drop(fold(email));
    },
    settle: signIns.settle,
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
