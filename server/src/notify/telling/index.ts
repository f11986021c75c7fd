export type { DigestMessage, EventMessage, Message } from './message.ts';
export { NOTICES_AT_ONCE, tellNext } from './telling.ts';
