export { advanceDue } from './advance.ts';
export type { OnTurn, SendWindowMessage } from './messages.ts';
export { hasDue } from './store.ts';
export { createWindows, type Windows } from './windows.ts';
