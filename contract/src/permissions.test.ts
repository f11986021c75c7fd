import { describe, expect, it } from 'vitest';
import {
  INTERFACE_PERMISSIONS,
  KEY_PERMISSIONS,
  type Operation,
  operations,
  PERMISSIONS,
  ROLE_PERMISSIONS,
} from './index.ts';

describe('the permissions', () => {
  it('spell the fifteen of the interface as it does', () => {
    expect(INTERFACE_PERMISSIONS.join(' ')).toBe(
      'CreateDevice UpdateDevice DeleteDevice CreateVariable UpdateVariable DeleteVariable ' +
        'ReadAlarmConfigurations CreateAlarmConfiguration UpdateAlarmConfiguration ' +
        'DeleteAlarmConfiguration ReadAssets CreateAsset UpdateAsset DeleteAsset ReadDashboards',
    );
  });

  it('are each named once', () => {
    expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
  });

  it('of user-only operations cannot be held by an API key', () => {
    const withheld = PERMISSIONS.filter((name) => !KEY_PERMISSIONS.some((held) => held === name));
    expect(withheld).toEqual(['AcknowledgeAlarmEvents', 'WriteDashboards']);
    for (const { id, access } of Object.values<Operation>(operations)) {
      if (access.kind === 'permission') expect(withheld, id).not.toContain(access.permission);
    }
  });

  it('grow with the role', () => {
    const { ADMINISTRATOR, EDITOR, VIEWER } = ROLE_PERMISSIONS;
    expect(ADMINISTRATOR).toEqual(PERMISSIONS);
    expect(EDITOR).toEqual(expect.arrayContaining([...VIEWER]));
    const withheld = PERMISSIONS.filter((permission) => !EDITOR.includes(permission));
    expect(withheld).toEqual(['ManageApiKeys', 'ManageUsers', 'ReadAuditLog', 'ReadNodes']);
  });
});
