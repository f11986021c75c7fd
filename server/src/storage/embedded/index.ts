export { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './embedded.ts';
export { findRunning } from './find.ts';
export { makePrivate } from './private-directory.ts';
