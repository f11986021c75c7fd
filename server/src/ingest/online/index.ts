export { createOnline, type Online, type OnlineDeps } from './online.ts';
