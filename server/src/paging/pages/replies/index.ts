export { createTakeKey, type TakeKey } from './keys.ts';
export { createReplies, type Replies } from './replies.ts';
