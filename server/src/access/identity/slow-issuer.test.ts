import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AccessRig, codeOf, createAccessRig } from '../../../test/support/access.ts';
import {
  CLIENT_ID,
  type LocalIssuer,
  startIssuer,
  visitIssuer,
} from '../../../test/support/issuer.ts';
import { createLog } from '../../runtime/index.ts';
import { createDiscovery } from './discovery.ts';
import { createProvider } from './provider.ts';

const REDIRECT = 'http://console.example/sign-in';
const CLIENT = { name: 'Example ID', clientId: CLIENT_ID, clientSecret: null };

let issuer: LocalIssuer;
let rig: AccessRig;

const visit = () => visitIssuer(rig, REDIRECT);

beforeAll(async () => {
  issuer = await startIssuer(() => rig.clock.now());
  const oidc = { issuer: issuer.url, audience: CLIENT_ID, trustsEmail: false, client: CLIENT };
  rig = await createAccessRig({ oidc });
});
beforeEach(() => {
  issuer.conduct.silentPaths = [];
});
afterAll(async () => {
  await rig.stop();
  await issuer.stop();
});

describe('an identity provider that does not answer', () => {
  it('holds no database connection while sign-ins wait for it', async () => {
    const visits: Awaited<ReturnType<typeof visit>>[] = [];
    for (let count = 0; count < 12; count += 1) visits.push(await visit());
    issuer.conduct.silentPaths = ['/token'];
    const asked = () => issuer.hits.filter((url) => url === '/token').length;
    const before = asked();
    const outcomes = visits.map((body, index) =>
      codeOf(rig.call(operations.createTokenByProvider, { body, address: `198.51.100.${index}` })),
    );
    await expect.poll(asked, { timeout: 10_000 }).toBe(before + visits.length);
    await expect(rig.storage.query('select 1')).resolves.toHaveLength(1);
    issuer.hangUp();
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['ISSUER_UNAVAILABLE']));
  });

  it('is waited for by at most 8 sign-ins of one address', async () => {
    const body = { ...(await visit()), code: 'made up' };
    issuer.conduct.silentPaths = ['/token'];
    const asked = () => issuer.hits.filter((url) => url === '/token').length;
    const before = asked();
    const attempt = () =>
      codeOf(rig.call(operations.createTokenByProvider, { body, address: '203.0.113.8' }));
    const waiting = Array.from({ length: 8 }, attempt);
    await expect.poll(asked, { timeout: 10_000 }).toBe(before + 8);
    expect(await attempt()).toBe('TOO_MANY_REQUESTS');
    issuer.hangUp();
    await Promise.all(waiting);
    issuer.conduct.silentPaths = [];
    expect(await attempt()).toBe('UNAUTHENTICATED');
  });

  it('is given up after a limit, for all its pages together', async () => {
    const { url } = issuer;
    const { clock } = rig;
    const provider = createProvider(
      { issuer: url, trustsEmail: false, ...CLIENT },
      {
        discovery: createDiscovery(url, clock, createLog('silent')),
        clock,
        log: createLog('silent'),
        limitMs: 50,
      },
    );
    const body = await visit();
    issuer.conduct.silentPaths = ['/token'];
    expect(await codeOf(provider.redeem(body))).toBe('ISSUER_UNAVAILABLE');
    issuer.hangUp();
  });
});
