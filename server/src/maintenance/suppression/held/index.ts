export {
  countHeld,
  deleteHeld,
  type HeldRow,
  hasHeldBehind,
  heldName,
  insertHeld,
  listHeldEvents,
  release,
} from './store.ts';
