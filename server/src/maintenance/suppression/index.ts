export type { Candidate, DigestCause } from './candidate.ts';
export { type CurrentSuppression, currentSuppression } from './current.ts';
export { countHeld, hasHeldBehind, release } from './held/index.ts';
export { suppress } from './suppress.ts';
export { releaseBehind } from './topology/index.ts';
