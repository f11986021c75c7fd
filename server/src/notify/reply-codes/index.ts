export { replyCodeFor } from './reply-codes.ts';
export { findReplyCode, freeReplyCodes, markEscalated } from './store.ts';
