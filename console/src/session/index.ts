export { ADMINISTRATION_PERMISSIONS, type AdministrationPermission } from './administration.ts';
export { type Authentication, createAuthentication, type SignInOptions } from './authentication.ts';
export { CALLBACK_PATH, InvalidStateError, ProviderRefusalError } from './provider.ts';
export {
  AuthenticationProvider,
  FixedSession,
  type Me,
  type Session,
  type SessionClient,
  SessionProvider,
  useAuthentication,
  useIsSignedIn,
  useMe,
  useSession,
  useSignInOptions,
} from './session.tsx';
