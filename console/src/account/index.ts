export { AccountPage } from './account-page.tsx';
export { Invitations, useInvitations } from './invitations.tsx';
