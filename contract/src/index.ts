export { ApiKey, IssuedApiKey } from './api-keys.ts';
export { AuditEntry } from './audit-log.ts';
export { ERROR_CODES, ERRORS, type ErrorCode } from './errors.ts';
export { failuresOf } from './failures.ts';
export type {
  Access,
  Body,
  Operation,
  Params,
  Query,
  ReplyBody,
  Tag,
  WrittenBody,
  WrittenQuery,
} from './operation.ts';
export { paramNames } from './operation.ts';
export { type OperationId, type Operations, operations } from './operations.ts';
export { Organization } from './organization.ts';
export {
  INTERFACE_PERMISSIONS,
  KEY_PERMISSIONS,
  type KeyPermission,
  PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from './permissions.ts';
export { type FieldError, Problem } from './problem.ts';
export { Me, Tokens } from './sign-in.ts';
export { CreatedUser, User } from './users.ts';
