export { dueTimesOf } from './due-times.ts';
export { createRotaMails, type RotaMails } from './rota-mails.ts';
export { saveDueTimes } from './store.ts';
