export { type Door, openDoor, type SignInOptions } from './door.ts';
export { ProviderRefusalError, RETURN_PATH, StrangeReturnError } from './provider.ts';
export {
  DoorProvider,
  type Me,
  type Session,
  SessionProvider,
  useDoor,
  useIsSignedIn,
  useMe,
  useSession,
  useSignInOptions,
} from './session.tsx';
