export { accountOf, boundToAnother } from './account.ts';
export type { KeyLimits } from './by-key.ts';
export type { IssuedIdentity } from './claims.ts';
export { createDiscovery } from './discovery.ts';
export {
  type CredentialListener,
  createIdentity,
  type Identity,
  type Invalidate,
} from './identity.ts';
export { createIssuer, type IssuerSettings } from './issuer.ts';
export { createProvider, type Provider, type ProviderSettings } from './provider.ts';
