import type { Permission } from '@fieldwatch/contract';

/** Each opens at least one page of the administration. */
export const ADMINISTRATION_PERMISSIONS = [
  'ManageUsers',
  'ManageApiKeys',
  'ManageAlarmGroups',
  'ManagePaging',
  'ManageWebhooks',
  'ManageIntegrations',
  'ManageLorawan',
  'ManageCodecs',
  'ManageVariableFolders',
  'ReadAuditLog',
  'ReadNodes',
] as const satisfies readonly Permission[];

export type AdministrationPermission = (typeof ADMINISTRATION_PERMISSIONS)[number];
