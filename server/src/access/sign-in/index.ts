export { createProviderSignIn, type ProviderSignIn } from './by-provider.ts';
export { createSignInLimits, type SignInLimitSettings } from './limits.ts';
export { createSessions } from './sessions.ts';
export { createSignIn, type SignIn } from './sign-in.ts';
