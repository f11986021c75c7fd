import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptOf, attemptToken, channelOf, channelToken } from './token.ts';

const key = Buffer.alloc(32, 1);
const id = (end: string) => `018f0000-0000-7000-8000-0000000000${end}`;
const channel = { organizationId: id('a1'), channelId: id('a2') };
const attempt = { ...channel, deliveryId: id('a3'), attempt: 3 };

describe('the token of a callback address', () => {
  it('decodes to the channel or the attempt that it was made for', () => {
    expect(channelOf(key, channelToken(key, channel))).toEqual(channel);
    expect(attemptOf(key, attemptToken(key, attempt))).toEqual(attempt);
  });

  it('of one use, or of another installation, is refused for the other', () => {
    expect(attemptOf(key, channelToken(key, channel))).toBeNull();
    expect(channelOf(key, attemptToken(key, attempt))).toBeNull();
    expect(channelOf(Buffer.alloc(32, 2), channelToken(key, channel))).toBeNull();
  });

  it('with any changed byte, a cut end or more at its end is refused', () => {
    const token = attemptToken(key, attempt);
    const bytes = Buffer.from(token, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const forged = Buffer.from(bytes);
        forged[at] = (forged[at] ?? 0) ^ change;
        expect(attemptOf(key, forged.toString('base64url'))).toBeNull();
      }),
    );
    expect(attemptOf(key, token.slice(0, -2))).toBeNull();
    expect(attemptOf(key, `${token}AAAA`)).toBeNull();
    expect(attemptOf(key, '')).toBeNull();
  });
});
