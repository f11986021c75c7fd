export { type AccessTokens, createAccessTokens } from './access-token.ts';
export { digestOf, generateSecret, matchesQuickHash, quickHash } from './secret.ts';
export { createSecrets, type Secrets } from './secrets.ts';
