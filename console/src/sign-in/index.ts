export { ChangePassword } from './change-password.tsx';
export { InvitationPage } from './invitation-page.tsx';
export { ProviderCallbackPage } from './provider-callback-page.tsx';
export { SignInPage } from './sign-in-page.tsx';
