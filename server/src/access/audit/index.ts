export { type Audit, createAudit } from './audit.ts';
