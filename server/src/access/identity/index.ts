export { createIdentity, type Forget, type Identity } from './identity.ts';
export { createIssuer, type IssuerSettings } from './issuer.ts';
