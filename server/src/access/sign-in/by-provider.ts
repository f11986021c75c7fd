import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import { Failure, notFound } from '../../runtime/index.ts';
import { accountOf, boundToAnother, type Provider } from '../identity/index.ts';
import type { SignInLimits } from './limits.ts';
import { ownChange } from './own-change.ts';
import type { Sessions } from './sessions.ts';
import * as store from './store.ts';

export interface ProviderSignInDeps {
  /** Null when there is none. */
  readonly provider: Provider | null;
  readonly isDemo: boolean;
  readonly sessions: Sessions;
  readonly limits: SignInLimits;
}

export interface ProviderSignIn {
  readonly retrieveOptions: Handler<Operations['retrieveSignInOptions']>;
  readonly begin: Handler<Operations['beginProviderSignIn']>;
  readonly createToken: Handler<Operations['createTokenByProvider']>;
}

/** Sign-in with the word of the identity provider instead of a password. The session is ours. */
export function createProviderSignIn(deps: ProviderSignInDeps): ProviderSignIn {
  const { provider, isDemo } = deps;
  const options = { isDemo, provider: provider && { name: provider.name } };
  return {
    retrieveOptions: async () => ({ body: options }),
    async begin({ query }) {
      if (!provider) throw notFound('identity provider');
      return { body: await provider.begin(query.redirectUri) };
    },
    createToken: createToken(deps),
  };
}

function createToken({ provider, sessions, limits }: ProviderSignInDeps) {
  const handler: ProviderSignIn['createToken'] = async ({ body }, { tx, now, address }) => {
    if (!provider) throw notFound('identity provider');
    // Whose code it is shows only afterwards, so bad ones count against the address alone.
    const bearer = await limits.guard(`provider ${address}`, address, () => provider.redeem(body));
    if (!bearer) {
      throw new Failure('UNAUTHENTICATED', `${provider.name} does not confirm this sign-in.`);
    }
    const account = await accountOf(tx, bearer, now);
    if (account.kind === 'BOUND_TO_ANOTHER') throw boundToAnother();
    const user = account.kind === 'FOUND' ? await store.findUser(tx, account.userId) : null;
    if (!user) {
      throw new Failure('UNAUTHENTICATED', `Nobody here has the email ${bearer.email}.`);
    }
    await store.saveSignInElsewhere(tx, user.id, now);
    const session = await sessions.begin(tx, user.id, now);
    const change = await ownChange(tx, user, {
      resource: 'Session',
      resourceId: session.id,
      after: { user: user.email, provider: provider.name, subject: bearer.subject },
    });
    return { body: await sessions.issueTokens(tx, session, now), changes: [change] };
  };
  return handler;
}
