export type { Authorizer } from './authorizer.ts';
export type {
  CallOptions,
  ColumnsId,
  DownloadOptions,
  FileId,
  InputOf,
  OptionsOf,
} from './calls.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Credentials } from './credentials.ts';
export { ConnectionError, FieldwatchError } from './errors.ts';
export type { FollowOptions, LiveEvent, Lost } from './follow.ts';
