export { createRejections, type Rejections } from './rejections.ts';
