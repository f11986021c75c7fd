import type { Permission } from '@fieldwatch/contract';

/** Who makes a request, once the credentials were found good. */
export interface Caller {
  readonly kind: 'USER' | 'API_KEY' | 'DEVICE' | 'SHARE';
  readonly id: string;
  /** For the audit log: the user's email, the key's name, the Device's id. */
  readonly name: string;
  /** A user's session, for operations on it; null for all others. */
  readonly sessionId: string | null;
  /** When the credential itself ends, in epoch milliseconds; absent when it does not. */
  readonly expiresAt?: number;
  /** The permissions of the caller in an organization; undefined when they have no access to it. */
  permissionsIn(organizationId: string): ReadonlySet<Permission> | undefined;
}

/** Names the credentials of a caller in counts and keys. */
export function credentialOf({ kind, id }: Caller): string {
  return `${kind}:${id}`;
}

/** Credentials that ended or may do less, or a user whose memberships changed. */
export interface CredentialChange {
  readonly kind: 'API_KEY' | 'USER' | 'SESSION';
  readonly id: string;
}

/** Finds out who sent the `Authorization` header; rejects with `UNAUTHENTICATED` when it is not valid. */
export type Authenticate = (
  authorization: string | undefined,
  address: string,
  options?: AuthenticateOptions,
) => Promise<Caller>;

/** The kinds of credentials that an operation accepts, beyond users and API keys. */
export interface AuthenticateOptions {
  readonly isForDevices?: boolean;
  /** Share links only, and no other credentials. */
  readonly isForShareLinks?: boolean;
}

/** The share link of this secret; rejects with `UNAUTHENTICATED` when there is none. */
export type FindShareCaller = (secret: string, address: string) => Promise<Caller>;

/** The Device of this id with this secret; null when the id is no Device's. */
export type FindDeviceCaller = (
  credentials: { readonly id: string; readonly secret: string },
  address: string,
) => Promise<Caller | null>;
