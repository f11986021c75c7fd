export { type AccessTokens, createAccessTokens } from './access-token.ts';
export { digestOf, generateSecret, matchesQuickHash, quickHash } from './secret.ts';
export { createSecrets, type Secrets } from './secrets.ts';
export { createSlowHash, HASH_LIMITS, type PasswordCost } from './slow-hash.ts';
