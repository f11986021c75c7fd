export { type Authentication, createAuthentication, type SignInOptions } from './authentication.ts';
export { CALLBACK_PATH, InvalidStateError, ProviderRefusalError } from './provider.ts';
export {
  AuthenticationProvider,
  type Me,
  type Session,
  SessionProvider,
  useAuthentication,
  useIsSignedIn,
  useMe,
  useSession,
  useSignInOptions,
} from './session.tsx';
