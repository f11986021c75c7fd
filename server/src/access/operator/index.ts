export { createOperatorKey, resetPassword } from './operator.ts';
