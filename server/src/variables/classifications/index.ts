export { listClassifications } from './classifications.ts';
