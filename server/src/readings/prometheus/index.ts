export { createPrometheusHandler } from './handler.ts';
export { createRemoteReadHandler, decodeRemoteReadBody } from './remote-read.ts';
