// Whose account is it? An account gives access to every organization that it belongs to, so whoever
// knows its password reads all of them. An organization learns of an account by its email alone, and
// an administrator of another one may have made that account: chosen its password, or kept its
// invitation and redeemed it. Therefore a membership of an account that was there before takes
// effect only when its holder shows both that the account is theirs and that the new organization
// means them: by its invitation token, or by the word of the identity provider for the email. An
// invitation token alone never opens what other organizations have given to the account.

/** Who chose a password, and so may know it. */
export type PasswordOrigin = 'OPERATOR' | 'ADMINISTRATOR' | 'PERSON';

export interface SignedInClaim {
  /** The request carries the token of this invitation. */
  readonly hasToken: boolean;
  /** The identity provider vouched for the email as this session began. */
  readonly isByProvider: boolean;
  /** Null when the account has no password. */
  readonly passwordOrigin: PasswordOrigin | null;
}

export type Acceptance =
  | 'ACCEPT'
  /** Somebody else may know the password, and the person signs in without it. */
  | 'ACCEPT_AND_DROP_PASSWORD'
  | 'CHANGE_PASSWORD_FIRST'
  | 'NEEDS_TOKEN';

/** What comes of an invitation that a signed-in user accepts. */
export function judgeAcceptance(claim: SignedInClaim): Acceptance {
  const { hasToken, isByProvider, passwordOrigin } = claim;
  if (passwordOrigin === 'OPERATOR') return 'ACCEPT';
  if (isByProvider) return passwordOrigin === null ? 'ACCEPT' : 'ACCEPT_AND_DROP_PASSWORD';
  if (!hasToken) return 'NEEDS_TOKEN';
  return passwordOrigin === 'ADMINISTRATOR' ? 'CHANGE_PASSWORD_FIRST' : 'ACCEPT';
}

export interface TokenClaim {
  /** The request names the account's present password. */
  readonly isPasswordRight: boolean;
  readonly passwordOrigin: PasswordOrigin | null;
  readonly isEmailProved: boolean;
}

export type Redemption =
  | 'ACCEPT'
  /** Sets the password, ends all sessions, and suspends what other organizations have given. */
  | 'TAKE_OVER'
  | 'CHOOSE_ANOTHER_PASSWORD'
  | 'SIGN_IN_FIRST';

/** The outcome of redeeming an invitation token without being signed in. */
export function judgeRedemption(claim: TokenClaim): Redemption {
  const { isPasswordRight, passwordOrigin, isEmailProved } = claim;
  if (isPasswordRight && passwordOrigin !== 'ADMINISTRATOR') return 'ACCEPT';
  if (isEmailProved) return 'SIGN_IN_FIRST';
  return isPasswordRight ? 'CHOOSE_ANOTHER_PASSWORD' : 'TAKE_OVER';
}
