export { createOrganizations, type Organizations } from './organizations.ts';
export {
  findOldestOrganization,
  findOrganization,
  insertOrganization,
  lockBootstrap,
  lockOrganization,
} from './store.ts';
