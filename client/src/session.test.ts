import { afterEach, describe, expect, it } from 'vitest';
import {
  type Recorded,
  type RecordingServer,
  type Reply,
  startRecordingServer,
} from '../test/recording-server.ts';
import { createClient } from './index.ts';

const credentials = { email: 'ann@example.com', password: 'correct horse battery' };
const refusal: Reply = { status: 401, body: { code: 'UNAUTHENTICATED', detail: 'No.' } };
const servers: RecordingServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Rules {
  /** Seconds that the nth token pair lives; the last one counts for all that follow. */
  readonly lives?: readonly number[];
  readonly accepts?: (authorization: string | undefined) => boolean;
  readonly refreshes?: boolean;
  readonly signsIn?: boolean;
}

/** Gives out `access-1`, `access-2` and so on, each with its refresh token. */
async function signInServer(rules: Rules = {}) {
  const { lives = [900], accepts = () => true, refreshes = true, signsIn = true } = rules;
  let issued = 0;
  const issue = (): Reply => {
    issued += 1;
    return {
      status: 200,
      body: {
        accessToken: `access-${issued}`,
        tokenType: 'Bearer',
        expiresIn: lives[issued - 1] ?? lives.at(-1),
        refreshToken: `refresh-${issued}`,
      },
    };
  };
  const answer = ({ url, headers }: Recorded): Reply => {
    if (url === '/auth/v1/token') return signsIn ? issue() : refusal;
    if (url === '/auth/v1/token/refresh') return refreshes ? issue() : refusal;
    if (url === '/auth/v1/token/revoke') return { status: 204 };
    return accepts(headers.authorization) ? { status: 200, body: { id: 'me' } } : refusal;
  };
  const server = await startRecordingServer(answer);
  servers.push(server);
  return {
    client: createClient({ baseUrl: server.baseUrl, credentials }),
    /** What was asked, in order: the end of the path and the token or body that came along. */
    asked: () =>
      server.requests.map(({ url, headers, body }) => {
        const token = headers.authorization ?? (body as { refreshToken?: string })?.refreshToken;
        return [url.replace('/auth/v1/', ''), token].filter(Boolean).join(' ');
      }),
    requests: server.requests,
  };
}

describe('a session', () => {
  it('signs in on first use and keeps the token', async () => {
    const { client, asked, requests } = await signInServer();
    expect(requests).toEqual([]);
    await client.retrieveMe();
    await client.retrieveMe();
    expect(asked()).toEqual(['token', 'me Bearer access-1', 'me Bearer access-1']);
    expect(requests[0]?.body).toEqual(credentials);
  });

  it('does not sign in for what is open to anyone', async () => {
    const { client, asked } = await signInServer();
    await client.checkHealth();
    expect(asked()).toEqual(['/healthz']);
  });

  it('signs in once for requests that start together', async () => {
    const { client, asked } = await signInServer();
    await Promise.all(Array.from({ length: 20 }, () => client.retrieveMe()));
    expect(asked().filter((each) => each === 'token')).toHaveLength(1);
    expect(asked()).toHaveLength(21);
  });

  it('renews a token that is about to end', async () => {
    const { client, asked } = await signInServer({ lives: [0, 900] });
    await client.retrieveMe();
    await client.retrieveMe();
    await client.retrieveMe();
    expect(asked()).toEqual([
      'token',
      'me Bearer access-1',
      'token/refresh refresh-1',
      'me Bearer access-2',
      'me Bearer access-2',
    ]);
  });

  it('renews a refused token once and repeats the request', async () => {
    const { client, asked } = await signInServer({
      accepts: (authorization) => authorization === 'Bearer access-2',
    });
    expect(await client.retrieveMe()).toEqual({ id: 'me' });
    expect(asked()).toEqual([
      'token',
      'me Bearer access-1',
      'token/refresh refresh-1',
      'me Bearer access-2',
    ]);
  });

  it('uses each refresh token once, however many requests were refused together', async () => {
    const { client, asked } = await signInServer({
      accepts: (authorization) => authorization !== 'Bearer access-1',
    });
    await Promise.all(Array.from({ length: 20 }, () => client.retrieveMe()));
    expect(asked().filter((each) => each.startsWith('token/refresh'))).toEqual([
      'token/refresh refresh-1',
    ]);
  });

  it('signs in again when the session is over', async () => {
    const { client, asked } = await signInServer({
      accepts: (authorization) => authorization === 'Bearer access-2',
      refreshes: false,
    });
    expect(await client.retrieveMe()).toEqual({ id: 'me' });
    expect(asked()).toEqual([
      'token',
      'me Bearer access-1',
      'token/refresh refresh-1',
      'token',
      'me Bearer access-2',
    ]);
  });

  it('gives up after one renewal when the service refuses every token', async () => {
    const { client, asked } = await signInServer({ accepts: () => false });
    await expect(client.retrieveMe()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(asked()).toEqual([
      'token',
      'me Bearer access-1',
      'token/refresh refresh-1',
      'me Bearer access-2',
    ]);
  });

  it('tries a wrong password once a request', async () => {
    const { client, asked } = await signInServer({ signsIn: false });
    await expect(client.retrieveMe()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(asked()).toEqual(['token']);
  });

  it('does not repeat a refused request with an API key or a token of the caller', async () => {
    const server = await startRecordingServer(() => refusal);
    servers.push(server);
    for (const fixed of [{ accessToken: 't' }, { apiKeyId: 'k', apiKeySecret: 's' }]) {
      const client = createClient({ baseUrl: server.baseUrl, credentials: fixed });
      await expect(client.retrieveMe()).rejects.toMatchObject({ status: 401 });
    }
    expect(server.requests).toHaveLength(2);
  });
});

describe('signing out', () => {
  it('revokes the session and shows no credentials afterwards', async () => {
    const { client, asked } = await signInServer();
    await client.retrieveMe();
    await client.signOut();
    await client.retrieveMe();
    expect(asked()).toEqual(['token', 'me Bearer access-1', 'token/revoke refresh-1', 'me']);
  });

  it('revokes the tokens of a sign-in that is still under way', async () => {
    const { client, asked } = await signInServer();
    const call = client.retrieveMe();
    await client.signOut();
    await call;
    expect(asked()).toContain('token/revoke refresh-1');
  });

  it('asks nothing of the service when nobody signed in', async () => {
    const { client, asked } = await signInServer();
    await client.signOut();
    expect(asked()).toEqual([]);
  });
});
