export { createDeadLetters, type DeadLetters } from './dead-letters/index.ts';
export { createRejections, type Rejections } from './rejections.ts';
