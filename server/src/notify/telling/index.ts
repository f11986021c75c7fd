export type { DigestMessage, EventMessage, Message } from './message.ts';
export type { EventContext, EventRecord } from './notice.ts';
export { NOTICES_AT_ONCE, tellNext } from './telling.ts';
