export { HTTP_LIMITS, type HttpLimits } from './app.ts';
export type { Authenticate, Caller } from './caller.ts';
export type { Precondition } from './etag.ts';
export type {
  Change,
  Context,
  Fields,
  Handler,
  RecordChanges,
  Serve,
  Written,
} from './handler.ts';
export { changeOf } from './handler.ts';
export { createHttp, type Http } from './http.ts';
export { serveProbes } from './probes.ts';
