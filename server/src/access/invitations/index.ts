export { createInvitations, type Invitations } from './invitations.ts';
export { createRedeemInvitation, type RedeemInvitation } from './redeem.ts';
