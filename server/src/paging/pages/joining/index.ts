export { joinPages } from './joining.ts';
