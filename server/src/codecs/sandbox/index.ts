export { Sandbox } from './sandbox.ts';
