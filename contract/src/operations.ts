import * as apiKeys from './api-keys.ts';
import * as auditLog from './audit-log.ts';
import type { Operation } from './operation.ts';
import * as organization from './organization.ts';
import * as service from './service.ts';
import * as signIn from './sign-in.ts';
import * as users from './users.ts';

/** Every operation of the service. What is not here cannot be called. */
export const operations = {
  createToken: signIn.createToken,
  refreshToken: signIn.refreshToken,
  revokeToken: signIn.revokeToken,
  redeemInvitation: signIn.redeemInvitation,
  changePassword: signIn.changePassword,
  retrieveMe: signIn.retrieveMe,
  retrieveOrganization: organization.retrieveOrganization,
  updateOrganization: organization.updateOrganization,
  listUsers: users.listUsers,
  retrieveUser: users.retrieveUser,
  createUser: users.createUser,
  updateUser: users.updateUser,
  deleteUser: users.deleteUser,
  listApiKeys: apiKeys.listApiKeys,
  retrieveApiKey: apiKeys.retrieveApiKey,
  createApiKey: apiKeys.createApiKey,
  updateApiKey: apiKeys.updateApiKey,
  deleteApiKey: apiKeys.deleteApiKey,
  listAuditLog: auditLog.listAuditLog,
  checkHealth: service.checkHealth,
  checkReadiness: service.checkReadiness,
  readMetrics: service.readMetrics,
} as const satisfies Readonly<Record<string, Operation>>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
