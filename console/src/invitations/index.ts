export { Invitations, useInvitations } from './invitations.tsx';
