import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { ApiKeys } from './api-keys/index.ts';
import type { Audit } from './audit/index.ts';
import type { Invitations, RedeemInvitation } from './invitations/index.ts';
import type { Organizations } from './organizations/index.ts';
import type { OwnSessions } from './sessions/index.ts';
import type { ProviderSignIn, RefreshTokens, SignIn } from './sign-in/index.ts';
import type { Users } from './users/index.ts';

export interface AccessHandlers {
  readonly signIn: SignIn;
  readonly providerSignIn: ProviderSignIn;
  readonly refreshTokens: RefreshTokens;
  readonly redeemInvitation: RedeemInvitation;
  readonly invitations: Invitations;
  readonly ownSessions: OwnSessions;
  readonly organizations: Organizations;
  readonly users: Users;
  readonly apiKeys: ApiKeys;
  readonly audit: Audit;
}

export function accessRoutes(serve: Serve, handlers: AccessHandlers): void {
  signInRoutes(serve, handlers);
  const { organizations, users, apiKeys, audit } = handlers;
  serve(operations.retrieveOrganization, organizations.retrieve);
  serve(operations.updateOrganization, organizations.update);
  serve(operations.listUsers, users.list);
  serve(operations.retrieveUser, users.retrieve);
  serve(operations.createUser, users.create);
  serve(operations.updateUser, users.update);
  serve(operations.deleteUser, users.delete);
  serve(operations.endUserSessions, users.endSessions);
  serve(operations.listApiKeys, apiKeys.list);
  serve(operations.retrieveApiKey, apiKeys.retrieve);
  serve(operations.createApiKey, apiKeys.create);
  serve(operations.updateApiKey, apiKeys.update);
  serve(operations.deleteApiKey, apiKeys.delete);
  serve(operations.listAuditLog, audit.list);
}

function signInRoutes(serve: Serve, handlers: AccessHandlers): void {
  const { signIn, providerSignIn, refreshTokens, invitations, ownSessions } = handlers;
  serve(operations.retrieveSignInOptions, providerSignIn.retrieveOptions);
  serve(operations.createToken, signIn.createToken);
  serve(operations.beginProviderSignIn, providerSignIn.begin);
  serve(operations.createTokenByProvider, providerSignIn.createToken);
  serve(operations.refreshToken, refreshTokens.refresh);
  serve(operations.revokeToken, refreshTokens.revoke);
  serve(operations.redeemInvitation, handlers.redeemInvitation);
  serve(operations.listInvitations, invitations.list);
  serve(operations.acceptInvitation, invitations.accept);
  serve(operations.declineInvitation, invitations.decline);
  serve(operations.listSessions, ownSessions.list);
  serve(operations.endSessions, ownSessions.endOthers);
  serve(operations.endSession, ownSessions.end);
  serve(operations.changePassword, signIn.changePassword);
  serve(operations.retrieveMe, signIn.retrieveMe);
}
