export { createTheThingsStackRegistrar } from './the-things-stack.ts';
