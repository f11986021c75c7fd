export { type CodecOwner, Sandbox } from './sandbox.ts';
