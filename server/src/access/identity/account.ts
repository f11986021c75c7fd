import { type Failure, foldEmail } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { IssuedIdentity } from './claims.ts';
import { unauthenticated } from './credentials.ts';
import { bindUser, findBoundUser, isEmailKnown } from './store.ts';

export type IssuedAccount =
  | { readonly kind: 'FOUND'; readonly userId: string }
  /** The account with this email belongs to another subject of the issuer. */
  | { readonly kind: 'BOUND_TO_ANOTHER' }
  | { readonly kind: 'UNKNOWN' };

/**
 * The account of an identity that the issuer vouches for. The subject decides. The email finds the
 * account only once: that binds it to the subject, and no other subject of the issuer can take it.
 */
export async function accountOf(
  db: Queries,
  identity: IssuedIdentity,
  now: number,
): Promise<IssuedAccount> {
  const bound = await findBoundUser(db, identity);
  if (bound !== null) return { kind: 'FOUND', userId: bound };
  if (identity.email === null) return { kind: 'UNKNOWN' };
  const emailFolded = foldEmail(identity.email);
  await bindUser(db, identity, { emailFolded, now });
  // Read again, since a request at the same moment may have bound one of the two.
  const userId = await findBoundUser(db, identity);
  if (userId !== null) return { kind: 'FOUND', userId };
  return { kind: (await isEmailKnown(db, emailFolded)) ? 'BOUND_TO_ANOTHER' : 'UNKNOWN' };
}

export function boundToAnother(): Failure {
  return unauthenticated(
    'The user with this email signs in with another account of the identity provider. An administrator can remove the user and add them again.',
  );
}
