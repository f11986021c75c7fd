export { createExplanation, type RetrieveExplanation } from './explanation.ts';
