export { ChangePassword } from './change-password.tsx';
export { InvitationPage } from './invitation-page.tsx';
export { ProviderReturnPage } from './provider-return-page.tsx';
export { SignInPage } from './sign-in-page.tsx';
