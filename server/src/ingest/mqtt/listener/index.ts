export { listen } from './listener.ts';
