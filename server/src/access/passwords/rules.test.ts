import { describe, expect, it } from 'vitest';
import { passwordProblem } from './rules.ts';

const LENGTH = 'must have 12 to 256 characters';
const COMMON = 'must not be a common password';
const random = (length: number) =>
  'kQ7#vz9pLm2x'
    .repeat(30)
    .slice(0, length - 1)
    .concat('ß');

describe('a new password', () => {
  it.each([
    [11, LENGTH],
    [12, null],
    [13, null],
    [255, null],
    [256, null],
    [257, LENGTH],
  ])('of %i characters: %s', (length, problem) => {
    expect(passwordProblem(random(length), 'a@example.com')).toBe(problem);
  });

  it('counts characters and not their bytes or surrogates', () => {
    expect(passwordProblem('🦊🐻🐼🦁🐯🐨🐸🐵🐔🐧🐦', 'a@example.com')).toBe(LENGTH);
    expect(passwordProblem('🦊🐻🐼🦁🐯🐨🐸🐵🐔🐧🐦🦆', 'a@example.com')).toBeNull();
  });

  it.each([
    'password1234',
    'PASSWORD1234!',
    'P@ssw0rd12345',
    'passwordpassword',
    '            ',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '123456789012',
    '098765432109',
    'qwertyuiopas',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    'administrator',
    'letmeinletmein',
    'qwerty123456',
    '2024welcome2024',
    'fieldwatch123',
  ])('%j is refused as common', (password) => {
    expect(passwordProblem(password, 'a@example.com')).toBe(COMMON);
  });

  it.each(['correct horse battery', 'my password is long', 'Tr0ub4dor&3-and-more'])(
    '%j is good',
    (password) => {
      expect(passwordProblem(password, 'a@example.com')).toBeNull();
    },
  );

  it('is not the email in any ASCII case', () => {
    expect(passwordProblem('Somebody@Example.com', 'somebody@example.COM')).toBe(
      'must not be the email',
    );
  });
});
