export { createPolicies, type Policies } from './policies.ts';
export { findReach, idOf, type Reach } from './reach.ts';
