/** The permissions of the interface, in its order. */
export const INTERFACE_PERMISSIONS = [
  'CreateDevice',
  'UpdateDevice',
  'DeleteDevice',
  'CreateVariable',
  'UpdateVariable',
  'DeleteVariable',
  'ReadAlarmConfigurations',
  'CreateAlarmConfiguration',
  'UpdateAlarmConfiguration',
  'DeleteAlarmConfiguration',
  'ReadAssets',
  'CreateAsset',
  'UpdateAsset',
  'DeleteAsset',
  'ReadDashboards',
] as const;

/** The permissions that Fieldwatch adds for what the interface only names. */
const OWN_PERMISSIONS = [
  'WriteReadings',
  'ManageLocations',
  'ManageAlarmGroups',
  'ManageVariableFolders',
  'AcknowledgeAlarmEvents',
  'WriteDashboards',
  'ManageApiKeys',
  'ManageUsers',
  'ReadAuditLog',
  'ManageWebhooks',
  'ManageIntegrations',
  'ManagePaging',
  'ManageMaintenance',
  'ManageLorawan',
  'ManageCodecs',
  'ReadNodes',
] as const;

export const PERMISSIONS = [...INTERFACE_PERMISSIONS, ...OWN_PERMISSIONS] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Permissions of operations that only a person may call; no API key may hold them. */
const USER_ONLY_PERMISSIONS = ['AcknowledgeAlarmEvents', 'WriteDashboards'] as const;

export type KeyPermission = Exclude<Permission, (typeof USER_ONLY_PERMISSIONS)[number]>;

export const KEY_PERMISSIONS: readonly KeyPermission[] = PERMISSIONS.filter(
  (permission): permission is KeyPermission =>
    !(USER_ONLY_PERMISSIONS as readonly Permission[]).includes(permission),
);

export const ROLES = ['ADMINISTRATOR', 'EDITOR', 'VIEWER'] as const;

export type Role = (typeof ROLES)[number];

/** Users and keys, the log of their changes, and the installation itself. */
const ADMINISTRATION: readonly Permission[] = [
  'ManageApiKeys',
  'ManageUsers',
  'ReadAuditLog',
  'ReadNodes',
];

const VIEWING: readonly Permission[] = [
  'ReadAlarmConfigurations',
  'ReadAssets',
  'ReadDashboards',
  'AcknowledgeAlarmEvents',
];

/** What each role may do. A role is nothing but this set. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  ADMINISTRATOR: PERMISSIONS,
  EDITOR: PERMISSIONS.filter((permission) => !ADMINISTRATION.includes(permission)),
  VIEWER: VIEWING,
};
