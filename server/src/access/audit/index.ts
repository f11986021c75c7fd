export { type Audit, createAudit } from './audit.ts';
export { createRefusals } from './refusals.ts';
