export { deliverText } from './texts.ts';
