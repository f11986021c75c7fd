import { type KeyPermission, operations, type Role } from '@fieldwatch/contract';
import { type AccessRig, basicAuth, bearerAuth, createOrganization, PASSWORD } from './access.ts';

let count = 0;

/** A new organization, and short ways to do things to its members with its first key. */
export async function createMembers(rig: AccessRig) {
  count += 1;
  const tag = `${count}@example.com`;
  const made = await createOrganization(rig, `admin-${tag}`);
  const { organizationId, key, adminEmail } = made;
  const params = { organizationId };

  const list = (query: object = {}) => rig.call(operations.listUsers, { auth: key, params, query });

  return {
    ...made,
    /** An email of this organization alone. */
    emailOf: (name: string) => `${name}-${tag}`,
    list,
    create: (email: string, role: Role, more: { name?: string | null; password?: string } = {}) =>
      rig.call(operations.createUser, { auth: key, params, body: { email, role, ...more } }),
    update: (userId: string, body: { name?: string | null; role?: Role }, auth = key) =>
      rig.call(operations.updateUser, { auth, params: { ...params, userId }, body }),
    remove: (userId: string, auth = key) =>
      rig.call(operations.deleteUser, { auth, params: { ...params, userId } }),
    async signIn(email: string, password = PASSWORD) {
      const body = { email, password };
      return bearerAuth((await rig.call(operations.createToken, { body })).accessToken);
    },
    async keyWith(permissions: KeyPermission[]) {
      const body = { name: 'A key', permissions };
      const { id, secret } = await rig.call(operations.createApiKey, { auth: key, params, body });
      return basicAuth(id, secret);
    },
    async administratorId() {
      return (await list({ search: adminEmail })).items[0]?.id ?? '';
    },
  };
}

export type Members = Awaited<ReturnType<typeof createMembers>>;
