export { createDeadLetters, type DeadLetters } from './dead-letters.ts';
