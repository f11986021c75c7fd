export { type NextContactDeps, useNextContacts } from './next-contact.ts';
