import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { ApiKeys } from './api-keys/index.ts';
import type { Audit } from './audit/index.ts';
import type { Organizations } from './organizations/index.ts';
import type { ProviderSignIn, SignIn } from './sign-in/index.ts';
import type { Users } from './users/index.ts';

export interface AccessHandlers {
  readonly signIn: SignIn;
  readonly providerSignIn: ProviderSignIn;
  readonly organizations: Organizations;
  readonly users: Users;
  readonly apiKeys: ApiKeys;
  readonly audit: Audit;
}

export function accessRoutes(
  serve: Serve,
  { signIn, providerSignIn, organizations, users, apiKeys, audit }: AccessHandlers,
): void {
  serve(operations.retrieveSignInOptions, providerSignIn.retrieveOptions);
  serve(operations.createToken, signIn.createToken);
  serve(operations.beginProviderSignIn, providerSignIn.begin);
  serve(operations.createTokenByProvider, providerSignIn.createToken);
  serve(operations.refreshToken, signIn.refreshToken);
  serve(operations.revokeToken, signIn.revokeToken);
  serve(operations.redeemInvitation, signIn.redeemInvitation);
  serve(operations.changePassword, signIn.changePassword);
  serve(operations.retrieveMe, signIn.retrieveMe);
  serve(operations.retrieveOrganization, organizations.retrieve);
  serve(operations.updateOrganization, organizations.update);
  serve(operations.listUsers, users.list);
  serve(operations.retrieveUser, users.retrieve);
  serve(operations.createUser, users.create);
  serve(operations.updateUser, users.update);
  serve(operations.deleteUser, users.delete);
  serve(operations.listApiKeys, apiKeys.list);
  serve(operations.retrieveApiKey, apiKeys.retrieve);
  serve(operations.createApiKey, apiKeys.create);
  serve(operations.updateApiKey, apiKeys.update);
  serve(operations.deleteApiKey, apiKeys.delete);
  serve(operations.listAuditLog, audit.list);
}
