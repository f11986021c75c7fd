export { type Codecs, createCodecs } from './codecs.ts';
export { codecRoutes } from './routes.ts';
export { Sandbox } from './sandbox/index.ts';
