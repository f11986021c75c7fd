export type { Format } from './accept.ts';
export { authorize } from './authorize.ts';
export type { Browser, SetCookie } from './browser.ts';
export type { Callback, CallbackAnswer } from './callbacks.ts';
export {
  type Authenticate,
  type Caller,
  type CredentialChange,
  credentialOf,
  type FindDeviceCaller,
  type FindShareCaller,
} from './caller.ts';
export type { Precondition } from './etag.ts';
export type {
  Answer,
  Change,
  Context,
  Fields,
  Handler,
  JsonHandler,
  PreparedHandler,
  RecordChanges,
  RecordRefusal,
  Serve,
  Written,
} from './handler.ts';
export { changeOf } from './handler.ts';
export { createHttp, type Http } from './http.ts';
export type { DecodeBody } from './json-body.ts';
export { HTTP_LIMITS, type HttpLimits } from './limits.ts';
export { serveProbes } from './probes.ts';
export { createResponseCache, type ResponseCache } from './response-cache.ts';
export type { TakeUpgrade } from './upgrades.ts';
export { createValidator, type Validate } from './validate.ts';
