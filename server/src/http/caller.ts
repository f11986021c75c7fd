import type { Permission } from '@fieldwatch/contract';

/** Who makes a request, once the credentials were found good. */
export interface Caller {
  readonly kind: 'USER' | 'API_KEY';
  readonly id: string;
  /** For the audit log: the user's email, the key's name. */
  readonly name: string;
  /** A user's session, for operations on it; null for API keys and external issuers. */
  readonly sessionId: string | null;
  /** What the caller may do in an organization; undefined when they have no part in it. */
  permissionsIn(organizationId: string): ReadonlySet<Permission> | undefined;
}

/** Finds out who sent the `Authorization` header; rejects with `UNAUTHENTICATED` when nobody good. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;
