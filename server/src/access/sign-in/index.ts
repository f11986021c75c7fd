export { createProviderSignIn, type ProviderSignIn } from './by-provider.ts';
export {
  createSignInLimits,
  type SignInLimitSettings,
  type SignInLimits,
} from './limits.ts';
export { createSignIn, type SignIn, type SignInDeps } from './sign-in.ts';
export { createRefreshTokens, type RefreshTokens, type RefreshTokensDeps } from './tokens.ts';
