import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  accountOf,
  bearerAuth,
  codeOf,
  createAccessRig,
  createOrganization,
  failureOf,
  PASSWORD,
} from '../../../test/support/access.ts';
import { ACCESS_LIMITS } from '../index.ts';
import { createSecrets } from '../secrets/index.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let rig: AccessRig;
let email: string;
let organizationId: string;
let key: string;
let count = 0;

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());

beforeEach(async () => {
  count += 1;
  email = `Admin-${count}@example.com`;
  ({ organizationId, key } = await createOrganization(rig, email));
});

const signIn = (password = PASSWORD, address = `192.0.2.${count}`) =>
  rig.call(operations.createToken, { body: { email, password }, address });
const refresh = (refreshToken: string) =>
  rig.call(operations.refreshToken, { body: { refreshToken } });
const me = (accessToken: string) =>
  rig.call(operations.retrieveMe, { auth: bearerAuth(accessToken) });
/** Fails unless the tokens are those of the administrator of the organization, and no one else's. */
async function expectAdministrator({ accessToken }: { readonly accessToken: string }, on = rig) {
  expect(await accountOf(on, bearerAuth(accessToken))).toEqual({
    email,
    roles: [{ id: organizationId, role: 'ADMINISTRATOR' }],
  });
}
const auditOf = async (operation: string) => {
  const { items } = await rig.call(operations.listAuditLog, {
    params: { organizationId },
    auth: key,
  });
  return items.filter((entry) => entry.operation === operation);
};

describe('signing in', () => {
  it('returns tokens that show who is signed in and their organizations', async () => {
    const tokens = await signIn();
    expect(tokens).toMatchObject({ tokenType: 'Bearer', expiresIn: 900 });
    const answer = await me(tokens.accessToken);
    expect(answer).toMatchObject({
      email,
      name: null,
      organizations: [{ id: organizationId, role: 'ADMINISTRATOR' }],
    });
    expect(answer.organizations[0]?.permissions).toContain('ManageUsers');
  });

  it('takes the email in any case', async () => {
    const body = { email: email.toUpperCase(), password: PASSWORD };
    await expectAdministrator(await rig.call(operations.createToken, { body }));
  });

  it('refuses a wrong password and an unknown email with the same words', async () => {
    const wrong = await failureOf(signIn('not the password'));
    const body = { email: 'nobody@example.com', password: PASSWORD };
    const unknown = await failureOf(rig.call(operations.createToken, { body }));
    expect(wrong.code).toBe('UNAUTHENTICATED');
    expect(unknown.code).toBe('UNAUTHENTICATED');
    expect(unknown.message).toBe(wrong.message);
  });

  it('is recorded in the audit log of the organization, without the password', async () => {
    await signIn();
    const [entry] = await auditOf('createToken');
    expect(entry).toMatchObject({
      actor: { kind: 'USER', name: email },
      resource: 'Session',
      address: `192.0.2.${count}`,
    });
    expect(JSON.stringify(entry)).not.toContain(PASSWORD);
  });

  it('is refused after ten failures from an address there alone, and not elsewhere', async () => {
    const stranger = `198.51.100.${count}`;
    for (let failure = 0; failure < 10; failure += 1) {
      expect(await codeOf(signIn('wrong', stranger))).toBe('UNAUTHENTICATED');
    }
    const refused = await failureOf(signIn(PASSWORD, stranger));
    expect(refused.code).toBe('TOO_MANY_REQUESTS');
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    await expectAdministrator(await signIn());
    rig.clock.advance(15 * MINUTE);
    await expectAdministrator(await signIn(PASSWORD, stranger));
  });

  it('goes on from an address of an earlier session, by the word of the database', async () => {
    const limits = { ...ACCESS_LIMITS, signIn: { ...ACCESS_LIMITS.signIn, failuresPerAccount: 3 } };
    await signIn(PASSWORD, '203.0.113.7');
    const other = await createAccessRig({ databaseUrl: rig.databaseUrl, limits });
    const there = (password: string, address: string) =>
      other.call(operations.createToken, { body: { email, password }, address });
    for (let failure = 0; failure < 3; failure += 1) {
      expect(await codeOf(there('wrong', `198.51.100.${failure}`))).toBe('UNAUTHENTICATED');
    }
    expect(await codeOf(there(PASSWORD, '198.51.100.9'))).toBe('TOO_MANY_REQUESTS');
    await expectAdministrator(await there(PASSWORD, '203.0.113.7'), other);
    await other.stop();
  });
});

describe('an access token', () => {
  it('ends after fifteen minutes', async () => {
    const { accessToken } = await signIn();
    rig.clock.advance(15 * MINUTE - 2_000);
    await expectAdministrator({ accessToken });
    rig.clock.advance(3_000);
    expect(await codeOf(me(accessToken))).toBe('UNAUTHENTICATED');
  });

  it('ends at once when its session is revoked', async () => {
    const tokens = await signIn();
    await me(tokens.accessToken);
    await rig.call(operations.revokeToken, { body: { refreshToken: tokens.refreshToken } });
    expect(await codeOf(me(tokens.accessToken))).toBe('UNAUTHENTICATED');
    expect(await codeOf(refresh(tokens.refreshToken))).toBe('UNAUTHENTICATED');
    expect(await auditOf('revokeToken')).toHaveLength(1);
  });
});

describe('refreshing', () => {
  it('returns new tokens of the same session and is not recorded in the audit log', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    await expectAdministrator(second);
    await expectAdministrator(first);
    expect(await auditOf('refreshToken')).toEqual([]);
  });

  it('ends the whole session at once when a used token comes again', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);
    await me(second.accessToken);
    expect(await codeOf(refresh(first.refreshToken))).toBe('UNAUTHENTICATED');
    expect(await codeOf(me(second.accessToken))).toBe('UNAUTHENTICATED');
    expect(await codeOf(refresh(second.refreshToken))).toBe('UNAUTHENTICATED');
    expect(await auditOf('refreshToken')).toMatchObject([{ actor: { kind: 'SYSTEM' } }]);
  });

  it('succeeds once at most of fifty at the same time, and the session ends', async () => {
    const { accessToken, refreshToken } = await signIn();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => refresh(refreshToken)),
    );
    const good = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(good).toHaveLength(1);
    expect(await codeOf(me(accessToken))).toBe('UNAUTHENTICATED');
    for (const tokens of good) {
      expect(await codeOf(me(tokens.accessToken))).toBe('UNAUTHENTICATED');
      expect(await codeOf(refresh(tokens.refreshToken))).toBe('UNAUTHENTICATED');
    }
  });

  it('ends after seven idle days', async () => {
    const { refreshToken } = await signIn();
    rig.clock.advance(7 * DAY);
    expect(await codeOf(refresh(refreshToken))).toBe('UNAUTHENTICATED');
  });

  it('ends thirty days after the sign-in, however often it was refreshed', async () => {
    let tokens = await signIn();
    for (let days = 0; days < 30; days += 6) {
      tokens = await refresh(tokens.refreshToken);
      rig.clock.advance(6 * DAY);
    }
    expect(await codeOf(refresh(tokens.refreshToken))).toBe('UNAUTHENTICATED');
  });
});

describe('changing the password', () => {
  const change = (accessToken: string, currentPassword: string, newPassword: string) =>
    rig.call(operations.changePassword, {
      auth: bearerAuth(accessToken),
      body: { currentPassword, newPassword },
    });

  it('ends every other session and keeps the own one', async () => {
    const [own, other] = [await signIn(), await signIn()];
    await me(other.accessToken);
    await change(own.accessToken, PASSWORD, 'another long password');
    await expectAdministrator(own);
    await expectAdministrator(await refresh(own.refreshToken));
    expect(await codeOf(me(other.accessToken))).toBe('UNAUTHENTICATED');
    expect(await codeOf(refresh(other.refreshToken))).toBe('UNAUTHENTICATED');
    expect(await codeOf(signIn())).toBe('UNAUTHENTICATED');
    await expectAdministrator(await signIn('another long password'));
    expect(await auditOf('changePassword')).toMatchObject([
      { changes: [{ field: 'password', from: '***', to: '***' }] },
    ]);
  });

  it('leaves no way in for one who had just shown the old password', async () => {
    const { accessToken } = await signIn();
    const secrets = createSecrets();
    const other = await createAccessRig({
      databaseUrl: rig.databaseUrl,
      secrets: {
        ...secrets,
        async verifyPassword(stored, presented) {
          const isRight = await secrets.verifyPassword(stored, presented);
          await change(accessToken, PASSWORD, 'another long password');
          return isRight;
        },
      },
    });
    const body = { email, password: PASSWORD };
    expect(await codeOf(other.call(operations.createToken, { body }))).toBe('UNAUTHENTICATED');
    await other.stop();
  });

  it('is refused on the field when the current one is wrong', async () => {
    const { accessToken } = await signIn();
    const failure = await failureOf(change(accessToken, 'wrong', 'another long password'));
    expect(failure.code).toBe('INVALID_REQUEST');
    expect(failure.errors).toMatchObject([{ path: 'currentPassword' }]);
    await expectAdministrator(await signIn());
  });

  it('does not let a stolen access token guess the password for ever', async () => {
    const { accessToken } = await signIn(PASSWORD, '203.0.113.9');
    const codes = [];
    for (let guess = 0; guess < 12; guess += 1) {
      codes.push(await codeOf(change(accessToken, `guess ${guess}`, 'another long password')));
    }
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('INVALID_REQUEST'));
    expect(codes.slice(10)).toEqual(Array(2).fill('TOO_MANY_REQUESTS'));
  });
});

describe('an invitation', () => {
  const invite = async (invited: string) => {
    const user = await rig.call(operations.createUser, {
      auth: key,
      params: { organizationId },
      body: { email: invited, role: 'VIEWER' },
    });
    return { id: user.id, token: user.invitationToken ?? '', status: user.status };
  };
  const redeem = (token: string) =>
    rig.call(operations.redeemInvitation, { body: { token, password: PASSWORD } });

  it('sets the first password, signs in, and is good once', async () => {
    const { id, token, status } = await invite(`new-${count}@example.com`);
    expect(status).toBe('INVITED');
    const { accessToken } = await redeem(token);
    expect(await me(accessToken)).toMatchObject({ id, organizations: [{ role: 'VIEWER' }] });
    expect(await codeOf(redeem(token))).toBe('UNAUTHENTICATED');
    const user = await rig.call(operations.retrieveUser, {
      auth: key,
      params: { organizationId, userId: id },
    });
    expect(user.status).toBe('ACTIVE');
    expect(await auditOf('redeemInvitation')).toHaveLength(1);
  });

  it('is good once also for ten who redeem it at the same time', async () => {
    const { token } = await invite(`new-${count}@example.com`);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('ends after seven days', async () => {
    const { token } = await invite(`new-${count}@example.com`);
    rig.clock.advance(7 * DAY);
    expect(await codeOf(redeem(token))).toBe('UNAUTHENTICATED');
  });

  it('gives no way in before it is redeemed', async () => {
    await invite(`new-${count}@example.com`);
    const body = { email: `new-${count}@example.com`, password: PASSWORD };
    expect(await codeOf(rig.call(operations.createToken, { body }))).toBe('UNAUTHENTICATED');
  });
});
