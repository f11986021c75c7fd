export {
  type Me,
  redeemInvitation,
  type Session,
  SessionProvider,
  signIn,
  useIsSignedIn,
  useMe,
  useSession,
} from './session.tsx';
