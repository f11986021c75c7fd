import { describe, expect, it } from 'vitest';
import { judgeAcceptance, judgeRedemption } from './consent.ts';

describe('accepting while signed in', () => {
  it.each([
    ['OPERATOR', 'password', 'no token', 'ACCEPT'],
    ['OPERATOR', 'provider', 'no token', 'ACCEPT'],
    ['PERSON', 'password', 'no token', 'NEEDS_TOKEN'],
    ['PERSON', 'password', 'token', 'ACCEPT'],
    ['PERSON', 'provider', 'no token', 'ACCEPT_AND_DROP_PASSWORD'],
    ['PERSON', 'provider', 'token', 'ACCEPT_AND_DROP_PASSWORD'],
    ['ADMINISTRATOR', 'password', 'no token', 'NEEDS_TOKEN'],
    ['ADMINISTRATOR', 'password', 'token', 'CHANGE_PASSWORD_FIRST'],
    ['ADMINISTRATOR', 'provider', 'no token', 'ACCEPT_AND_DROP_PASSWORD'],
    [null, 'provider', 'no token', 'ACCEPT'],
    [null, 'password', 'no token', 'NEEDS_TOKEN'],
  ] as const)('with a password by %s, by %s, with %s: %s', (passwordOrigin, by, token, verdict) => {
    const claim = { passwordOrigin, isByProvider: by === 'provider', hasToken: token === 'token' };
    expect(judgeAcceptance(claim)).toBe(verdict);
  });
});

describe('redeeming a token without being signed in', () => {
  it.each([
    ['PERSON', 'right', 'unproved', 'ACCEPT'],
    ['PERSON', 'right', 'proved', 'ACCEPT'],
    ['PERSON', 'other', 'unproved', 'TAKE_OVER'],
    ['PERSON', 'other', 'proved', 'SIGN_IN_FIRST'],
    ['OPERATOR', 'right', 'proved', 'ACCEPT'],
    ['OPERATOR', 'other', 'proved', 'SIGN_IN_FIRST'],
    ['ADMINISTRATOR', 'right', 'unproved', 'CHOOSE_ANOTHER_PASSWORD'],
    ['ADMINISTRATOR', 'right', 'proved', 'SIGN_IN_FIRST'],
    ['ADMINISTRATOR', 'other', 'unproved', 'TAKE_OVER'],
    [null, 'other', 'unproved', 'TAKE_OVER'],
    [null, 'other', 'proved', 'SIGN_IN_FIRST'],
  ] as const)('with a password by %s, the %s one, and an email that is %s: %s', (...row) => {
    const [passwordOrigin, password, email, verdict] = row;
    const claim = {
      passwordOrigin,
      isPasswordRight: password === 'right',
      isEmailProved: email === 'proved',
    };
    expect(judgeRedemption(claim)).toBe(verdict);
  });
});
