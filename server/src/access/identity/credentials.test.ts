import { describe, expect, it } from 'vitest';
import { Failure } from '../../runtime/index.ts';
import { credentialsIn } from './credentials.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('an Authorization header', () => {
  it('with the Basic scheme holds a key id and a secret', () => {
    expect(credentialsIn(`Basic ${base64('id:secret')}`)).toEqual({
      kind: 'BASIC',
      keyId: 'id',
      secret: 'secret',
    });
  });

  it('with the Bearer scheme holds a token', () => {
    expect(credentialsIn('Bearer aaa.bbb.ccc')).toEqual({ kind: 'BEARER', token: 'aaa.bbb.ccc' });
  });

  it.each(['basic', 'BASIC', 'bAsIc'])('names its scheme in any case: %s', (scheme) => {
    expect(credentialsIn(`${scheme} ${base64('id:secret')}`)).toMatchObject({ keyId: 'id' });
  });

  it.each(['\n', '\r\n', ' ', '\t \n'])('may end in white space once decoded: %j', (end) => {
    expect(credentialsIn(`Basic ${base64(`id:secret${end}`)}`)).toMatchObject({ secret: 'secret' });
  });

  it('may have colons in the secret, and characters of any script', () => {
    expect(credentialsIn(`Basic ${base64('id:a:b:ü')}`)).toMatchObject({ secret: 'a:b:ü' });
  });

  it('may leave the padding of base64 out', () => {
    const value = base64('id:secre').replace(/=+$/, '');
    expect(credentialsIn(`Basic ${value}`)).toMatchObject({ secret: 'secre' });
  });

  it.each([
    undefined,
    '',
    '   ',
    'Basic',
    'Basic ',
    'Bearer',
    'Basic !!!!',
    `Basic ${base64('no colon')}`,
    `Basic ${base64(':secret')}`,
    `Basic ${base64('id:')}`,
    `Basic ${base64('id: \n')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    `Basic ${base64('id:secret')} ${base64('id:secret')}`,
    'Bearer two words',
    'Digest username="a"',
    base64('id:secret'),
    ':',
  ])('that holds nothing good is refused in a plain sentence: %j', (header) => {
    const refuse = () => credentialsIn(header);
    expect(refuse).toThrow(Failure);
    expect(refuse).toThrow(/^The .*\.$/);
    expect(refuse).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
  });
});
