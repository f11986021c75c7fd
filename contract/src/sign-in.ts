import Type from 'typebox';
import { anyone, operation, userOnly } from './operation.ts';
import { PERMISSIONS, ROLES } from './permissions.ts';
import { closed, Email, Id, nullable, oneOf, Password, text } from './schema.ts';

const RefreshTokenIn = Type.Optional(
  Type.Enum(['BODY', 'COOKIE'], {
    description:
      'Where the refresh token goes: into the answer, unless said otherwise, or into a cookie that scripts cannot read. A cookie is for pages of this server alone',
  }),
);
const Secret = Type.String({ minLength: 1, maxLength: 512 });

export const Tokens = Type.Object(
  {
    accessToken: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds that the access token lives' }),
    refreshToken: Type.String({
      description: 'Good for one refresh; empty when the cookie holds it',
    }),
  },
  closed,
);

export const retrieveSignInOptions = operation({
  id: 'retrieveSignInOptions',
  method: 'GET',
  path: '/auth/v1/options',
  tag: 'Sign-in',
  summary: 'How one signs in here, and whether this is a demo',
  access: anyone,
  effect: 'read',
  reply: {
    status: 200,
    description: 'What there is to choose from',
    body: Type.Object(
      {
        isDemo: Type.Boolean({ description: 'True when everything here is made up' }),
        provider: nullable(
          Type.Object(
            { name: Type.String() },
            { ...closed, description: 'The identity provider that people may sign in with' },
          ),
        ),
      },
      closed,
    ),
  },
});

const RedirectUri = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Where the identity provider sends the browser back to',
});

export const beginProviderSignIn = operation({
  id: 'beginProviderSignIn',
  method: 'GET',
  path: '/auth/v1/provider',
  tag: 'Sign-in',
  summary: 'Begin a sign-in at the identity provider; keep the answer until the browser is back',
  access: anyone,
  effect: 'read',
  query: Type.Object({ redirectUri: RedirectUri }, closed),
  reply: {
    holdsSecrets: true,
    status: 200,
    description: 'Where to send the browser, and what to compare and send when it is back',
    body: Type.Object(
      {
        authorizationUrl: Type.String(),
        state: Type.String({ description: 'Comes back with the browser, or somebody else began' }),
        nonce: Type.String(),
        codeVerifier: Type.String(),
      },
      closed,
    ),
  },
  failures: ['NOT_FOUND', 'ISSUER_UNAVAILABLE'],
});

export const createTokenByProvider = operation({
  id: 'createTokenByProvider',
  usesCookie: true,
  method: 'POST',
  path: '/auth/v1/token/provider',
  tag: 'Sign-in',
  summary: 'Sign in with the code that the identity provider gave to the browser',
  access: anyone,
  effect: 'write',
  body: Type.Object(
    {
      code: Type.String({ minLength: 1, maxLength: 8_000 }),
      codeVerifier: Secret,
      nonce: Secret,
      redirectUri: RedirectUri,
      refreshTokenIn: RefreshTokenIn,
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The tokens of a new session',
    body: Tokens,
    holdsSecrets: true,
  },
  failures: ['UNAUTHENTICATED', 'NOT_FOUND', 'ISSUER_UNAVAILABLE'],
});

export const createToken = operation({
  id: 'createToken',
  usesCookie: true,
  method: 'POST',
  path: '/auth/v1/token',
  tag: 'Sign-in',
  summary: 'Sign in with email and password',
  access: anyone,
  effect: 'write',
  body: Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
      refreshTokenIn: RefreshTokenIn,
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The tokens of a new session',
    body: Tokens,
    holdsSecrets: true,
  },
  failures: ['UNAUTHENTICATED'],
});

const Presented = Type.Object(
  {
    refreshToken: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Left out by a page whose cookie holds it',
      }),
    ),
  },
  closed,
);

export const refreshToken = operation({
  id: 'refreshToken',
  usesCookie: true,
  method: 'POST',
  path: '/auth/v1/token/refresh',
  tag: 'Sign-in',
  summary: 'Exchange a refresh token for new tokens; a used one ends the session',
  access: anyone,
  effect: 'write',
  body: Presented,
  bodyOptional: true,
  reply: {
    status: 200,
    description: 'New tokens of the same session',
    body: Tokens,
    holdsSecrets: true,
  },
  failures: ['UNAUTHENTICATED'],
});

export const revokeToken = operation({
  id: 'revokeToken',
  usesCookie: true,
  method: 'POST',
  path: '/auth/v1/token/revoke',
  tag: 'Sign-in',
  summary: 'End the session of a refresh token; an unknown one is no error',
  access: anyone,
  effect: 'write',
  body: Presented,
  bodyOptional: true,
  reply: { status: 204, description: 'The session is over' },
});

export const redeemInvitation = operation({
  id: 'redeemInvitation',
  usesCookie: true,
  method: 'POST',
  path: '/auth/v1/invitations',
  tag: 'Sign-in',
  summary: 'Accept an invitation by its token, with the current password or a new one, and sign in',
  access: anyone,
  effect: 'write',
  body: Type.Object({ token: Secret, password: Password, refreshTokenIn: RefreshTokenIn }, closed),
  reply: {
    status: 200,
    description: 'The tokens of a new session',
    body: Tokens,
    holdsSecrets: true,
  },
  failures: ['UNAUTHENTICATED', 'CONFLICT'],
});

export const changePassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/auth/v1/password',
  tag: 'Sign-in',
  summary: "Change one's own password; ends every other session",
  access: userOnly(),
  effect: 'write',
  body: Type.Object(
    { currentPassword: Type.String({ minLength: 1, maxLength: 256 }), newPassword: Password },
    closed,
  ),
  reply: { status: 204, description: 'The password is changed' },
});

export const Me = Type.Object(
  {
    id: Id,
    email: Email,
    name: nullable(text(1, 100)),
    organizations: Type.Array(
      Type.Object(
        {
          id: Id,
          name: Type.String(),
          role: oneOf(ROLES),
          permissions: Type.Array(oneOf(PERMISSIONS)),
        },
        closed,
      ),
    ),
  },
  closed,
);

export const retrieveMe = operation({
  id: 'retrieveMe',
  method: 'GET',
  path: '/auth/v1/me',
  tag: 'Sign-in',
  summary: 'Who is signed in, and where they belong',
  access: userOnly(),
  effect: 'read',
  reply: {
    status: 200,
    description: 'The user with organizations, roles and permissions',
    body: Me,
  },
});
