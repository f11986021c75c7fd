export { createOrganizations, type Organizations } from './organizations.ts';
export {
  findOldestOrganization,
  findOrganization,
  insertOrganization,
  listOrganizations,
  lockBootstrap,
  lockOrganization,
} from './store.ts';
