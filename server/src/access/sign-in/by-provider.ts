import type { MapTiles, Operations } from '@fieldwatch/contract';
import type { Handler, PreparedHandler } from '../../http/index.ts';
import { Failure, notFound, rateLimitKey } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { type Admission, createAdmission } from '../admission.ts';
import {
  accountOf,
  boundToAnother,
  type IssuedIdentity,
  type Provider,
} from '../identity/index.ts';
import { ownChange } from '../memberships/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { SignInLimits } from './limits.ts';
import * as store from './store.ts';

export interface ProviderSignInDeps {
  /** Null when there is none. */
  readonly provider: Provider | null;
  readonly isDemo: boolean;
  readonly mapTiles: MapTiles | null;
  readonly sessions: Sessions;
  readonly limits: SignInLimits;
}

export interface ProviderSignIn {
  readonly retrieveOptions: Handler<Operations['retrieveSignInOptions']>;
  readonly begin: Handler<Operations['beginProviderSignIn']>;
  readonly createToken: PreparedHandler<Operations['createTokenByProvider']>;
}

/** Sign-ins that may wait for the issuer. A slow issuer must not block sign-ins with passwords. */
const ISSUER_WAITS = { maxConcurrentPerAddress: 8, maxConcurrent: 64 };

/** Sign-in by an identity provider instead of a password; the session is one of this server. */
export function createProviderSignIn(deps: ProviderSignInDeps): ProviderSignIn {
  const { provider, isDemo, mapTiles } = deps;
  const options = { isDemo, mapTiles, provider: provider && { name: provider.name } };
  const issuerWaits = createAdmission(ISSUER_WAITS);
  return {
    retrieveOptions: async () => ({ body: options }),
    async begin({ query }, { address }) {
      if (!provider) throw notFound('identity provider');
      const begin = () => provider.begin(query.redirectUri);
      return { body: await issuerWaits.run(rateLimitKey(address), begin) };
    },
    createToken: createToken(deps, issuerWaits),
  };
}

/** The issuer is waited for before the transaction: a slow one holds no connection. */
function createToken(
  { provider, sessions, limits }: ProviderSignInDeps,
  issuerWaits: Admission,
): ProviderSignIn['createToken'] {
  return {
    async prepare({ body }, origin) {
      const { now, address, browser } = origin;
      if (!provider) throw notFound('identity provider');
      const form = sessions.cookie.formOf(body, browser);
      // Whose code it is shows only afterwards, so bad ones count against the address alone.
      const redeem = () =>
        limits.guard(`provider ${address}`, address, () => provider.redeem(body));
      const identity = await issuerWaits.run(rateLimitKey(address), redeem);
      if (!identity) {
        throw new Failure('UNAUTHENTICATED', `${provider.name} does not confirm this sign-in.`);
      }
      return async ({ tx }) => {
        const user = await userOf(tx, identity, now);
        await store.saveSignInElsewhere(tx, user.id, now);
        const session = await sessions.begin(tx, user.id, origin, { byProvider: true });
        const change = await ownChange(tx, user, {
          resource: 'Session',
          resourceId: session.id,
          after: { user: user.email, provider: provider.name, subject: identity.subject },
        });
        const answer = await sessions.issueTokens(tx, session, { now, form, browser });
        return { ...answer, changes: [change] };
      };
    },
  };
}

async function userOf(
  tx: Transaction,
  identity: IssuedIdentity,
  now: number,
): Promise<store.UserRow> {
  const account = await accountOf(tx, identity, now);
  if (account.kind === 'BOUND_TO_ANOTHER') throw boundToAnother();
  const user = account.kind === 'FOUND' ? await store.findUser(tx, account.userId) : null;
  if (!user) throw new Failure('UNAUTHENTICATED', `No user has the email ${identity.email}.`);
  return user;
}
