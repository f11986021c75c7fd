export { nowMs, useNow } from './clock.ts';
export { keep, onKeptElsewhere, readKept } from './kept.ts';
export { inTurn } from './turns.ts';
