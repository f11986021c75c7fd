import Type, { type Static } from 'typebox';
import { anyone, operation, userOnly } from './operation.ts';
import { PERMISSIONS, ROLES } from './permissions.ts';
import { closed, Email, Id, nullable, oneOf, Password, text } from './schema.ts';

const RefreshTokenIn = Type.Optional(
  Type.Enum(['BODY', 'COOKIE'], {
    description:
      'Where the server puts the refresh token: into the reply (default), or into a cookie that scripts cannot read. Only pages of this server may use the cookie',
  }),
);
const Secret = Type.String({ minLength: 1, maxLength: 512 });

export const Tokens = Type.Object(
  {
    accessToken: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds for which the access token is valid' }),
    refreshToken: Type.String({
      description: 'Valid for one refresh; empty if the cookie contains it',
    }),
  },
  closed,
);

const MapTiles = Type.Object(
  {
    url: Type.String({ description: 'The address of a tile, with `{z}`, `{x}` and `{y}`' }),
    attribution: Type.String({ description: 'The text that must be shown on the map' }),
  },
  { ...closed, description: 'The tile server of maps; null for maps of outlines alone' },
);

export type MapTiles = Static<typeof MapTiles>;

export const retrieveSignInOptions = operation({
  id: 'retrieveSignInOptions',
  method: 'GET',
  path: '/auth/v1/options',
  tag: 'Sign-in',
  summary: 'Retrieve the ways to sign in, whether this is a demo, and the tile server of maps',
  access: anyone,
  effect: 'read',
  reply: {
    status: 200,
    description: 'The sign-in options',
    body: Type.Object(
      {
        isDemo: Type.Boolean({ description: 'True if all data is simulated' }),
        provider: nullable(
          Type.Object(
            { name: Type.String() },
            { ...closed, description: 'The identity provider for sign-in' },
          ),
        ),
        mapTiles: nullable(MapTiles),
      },
      closed,
    ),
  },
});

const RedirectUri = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'The address to which the identity provider redirects the browser',
});

export const beginProviderSignIn = operation({
  id: 'beginProviderSignIn',
  method: 'GET',
  path: '/auth/v1/provider',
  tag: 'Sign-in',
  summary: 'Begin a sign-in at the identity provider; keep the reply until the browser returns',
  access: anyone,
  effect: 'read',
  query: Type.Object({ redirectUri: RedirectUri }, closed),
  reply: {
    holdsSecrets: true,
    status: 200,
    description: 'The address for the browser, and the values to compare and send when it returns',
    body: Type.Object(
      {
        authorizationUrl: Type.String(),
        state: Type.String({ description: 'The browser must return with this value' }),
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
  summary: 'Sign in with the code of the identity provider',
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
        description: 'Optional for a page whose cookie contains it',
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
  summary: 'Exchange a refresh token for new tokens; using one twice ends the session',
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
  summary: 'End the session of a refresh token; an unknown token is not an error',
  access: anyone,
  effect: 'write',
  body: Presented,
  bodyOptional: true,
  reply: { status: 204, description: 'The session has ended' },
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
  summary: 'Change the password of the signed-in user; ends their other sessions',
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
  summary: 'Retrieve the signed-in user with organizations and permissions',
  access: userOnly(),
  effect: 'read',
  reply: {
    status: 200,
    description: 'The user with organizations, roles and permissions',
    body: Me,
  },
});
