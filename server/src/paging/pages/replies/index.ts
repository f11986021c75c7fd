export { createReplies, type Replies } from './replies.ts';
