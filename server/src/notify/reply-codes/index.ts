export { replyCodeFor } from './reply-codes.ts';
export { findReplyCode, freeReplyCodes } from './store.ts';
