export { invite } from './invite.ts';
export {
  deleteMembership,
  holdUserByEmail,
  insertMembership,
  insertUser,
  isLastAdministrator,
} from './store.ts';
export { createUsers, type Users } from './users.ts';
