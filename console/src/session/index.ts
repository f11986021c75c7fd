export { type Door, openDoor } from './door.ts';
export {
  DoorProvider,
  type Me,
  type Session,
  SessionProvider,
  useDoor,
  useIsSignedIn,
  useMe,
  useSession,
} from './session.tsx';
