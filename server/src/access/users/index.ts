export { holdUserByEmail, insertMembership, insertUser } from './store.ts';
export { createUsers, type Users } from './users.ts';
